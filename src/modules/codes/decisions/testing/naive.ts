import { createHash } from 'node:crypto'
import { toMs } from '../../../../platform/clock/index.ts'
import type { Decision, StoredRules } from '../compile.ts'
import { type Condition, WEEKDAYS } from '../conditions/contract.ts'
import type { Facts } from '../facts.ts'

/** Null is unknown. */
type Answer = boolean | null

/**
 * Decides as the guide says it, as plainly as possible: it prepares nothing, asks Intl for the time, and shares no code with
 * the product. Tests compare the two.
 */
export function decideNaively<Destination>(
  { timeZone, rules }: StoredRules<Destination>,
  facts: Facts,
): Decision<Destination> | undefined {
  const rule = rules.find(({ active, when }) => active && holds(when, facts, timeZone) === true)
  if (rule === undefined) return undefined
  const { id: ruleId, then } = rule
  if ('destination' in then) return { ruleId, variant: null, destination: then.destination }
  const point = drawPoint(facts, ruleId) * then.split.reduce((sum, { weight }) => sum + weight, 0)
  const chosen = then.split.find(({ weight }, at) => {
    const before = then.split.slice(0, at).reduce((sum, one) => sum + one.weight, 0)
    return weight > 0 && point < before + weight
  })
  return chosen && { ruleId, variant: chosen.key, destination: chosen.destination }
}

/** Somebody unknown is at 0, which is in the first variant that has a weight. */
function drawPoint({ salt, visitor }: Facts, ruleId: string): number {
  if (visitor === undefined) return 0
  const digest = createHash('sha256').update(`${salt}\0${visitor}\0${ruleId}`).digest('hex')
  return Number(BigInt(`0x${digest}`) >> BigInt(256 - 52)) / 2 ** 52
}

function holds(condition: Condition, facts: Facts, timeZone: string): Answer {
  const inner = (one: Condition) => holds(one, facts, timeZone)
  const { device, os, language, country, region, date, query, scan_number, lot, serial, property, domain, via } =
    condition
  const answers: Answer[] = []
  if (device) answers.push(isIn(facts.device, device))
  if (os) answers.push(isIn(facts.os, os))
  if (language) answers.push(prefers(facts.acceptLanguage, language))
  if (country) answers.push(isIn(facts.country, country))
  if (region) answers.push(isIn(facts.region, region))
  if (date) answers.push(isInDates(date, facts.atMs, timeZone))
  if (condition.weekday || condition.from || condition.to) answers.push(isInWindow(condition, facts.atMs, timeZone))
  if (query) {
    const value = Object.entries(facts.query).find(([key]) => key === query.key)?.[1]
    answers.push(query.exists === undefined ? value === query.is : (value !== undefined) === query.exists)
  }
  if (scan_number) {
    const number = facts.scanNumber(scan_number.of)
    const { from = 1, to = Number.MAX_VALUE } = scan_number
    answers.push(number === undefined ? null : number >= from && number <= to)
  }
  if (lot) answers.push(facts.lot !== null && lot.includes(facts.lot))
  if (serial) answers.push(facts.serial !== null && serial.includes(facts.serial))
  if (property) {
    const value = facts.property(property.key)
    answers.push(value === undefined ? null : value === property.is)
  }
  if (domain) answers.push(facts.domain !== null && domain.includes(facts.domain))
  if (via) answers.push(via.includes(facts.via))
  if (condition.all) answers.push(every(condition.all.map(inner)))
  if (condition.any) answers.push(negated(every(condition.any.map(inner).map(negated))))
  if (condition.not) answers.push(negated(inner(condition.not)))
  return every(answers)
}

const every = (answers: Answer[]): Answer => (answers.includes(false) ? false : answers.includes(null) ? null : true)

const negated = (answer: Answer): Answer => (answer === null ? null : !answer)

const isIn = (value: string | null, list: string[]): Answer =>
  value === null ? null : list.some((one) => one.toLowerCase() === value.toLowerCase())

function prefers(header: string | undefined, tags: string[]): Answer {
  const ranges = (header ?? '').split(',').map((range) => range.split(';').map((part) => part.trim()))
  let best = { tag: '', weight: 0 }
  for (const [tag = '', q] of ranges) {
    const weight = q === undefined ? 1 : Number(q.slice('q='.length))
    if (tag !== '' && tag !== '*' && weight > best.weight) best = { tag, weight }
  }
  if (best.tag === '') return null
  const locale = new Intl.Locale(best.tag)
  const spellings = [locale.baseName, locale.maximize().baseName, best.tag]
  if (['nb', 'nn'].includes(locale.language)) spellings.push('no')
  return tags.some((tag) => spellings.some((one) => `${one}-`.toLowerCase().startsWith(`${tag}-`.toLowerCase())))
}

function isInDates({ from, until }: NonNullable<Condition['date']>, atMs: number, timeZone: string): boolean {
  const { day } = wallClock(atMs, timeZone)
  const isEarly = from !== undefined && (from.length === 10 ? day < from : atMs < toMs(from))
  const isLate = until !== undefined && (until.length === 10 ? day > until : atMs >= toMs(until))
  return !isEarly && !isLate
}

function isInWindow(
  { weekday = [...WEEKDAYS], from = '00:00', to = '24:00' }: Condition,
  atMs: number,
  timeZone: string,
) {
  const { time, weekday: today } = wallClock(atMs, timeZone)
  const yesterday = WEEKDAYS[(WEEKDAYS.indexOf(today) + 6) % 7] as (typeof WEEKDAYS)[number]
  if (from < to) return weekday.includes(today) && from <= time && time < to
  return (weekday.includes(today) && from <= time) || (weekday.includes(yesterday) && time < to)
}

function wallClock(atMs: number, timeZone: string) {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(atMs)
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  return {
    day: `${part('year')}-${part('month')}-${part('day')}`,
    time: `${part('hour')}:${part('minute')}`,
    weekday: part('weekday').toLowerCase() as (typeof WEEKDAYS)[number],
  }
}
