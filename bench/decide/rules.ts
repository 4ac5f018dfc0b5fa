import type { Condition, Facts, StoredRules } from '../../src/modules/codes/decisions/index.ts'
import { HOUR_MS, MINUTE_MS, toMs } from '../../src/platform/clock/index.ts'

/** Berlin is an hour ahead of UTC in all scans of the benchmark, which the hand-written code may know. */
const OFFSET_MS = HOUR_MS
const DAY_MINUTES = 24 * 60

/** What people use. Each block of ten has other values, so that most scans have to try all of them. */
const conditionsOf = (block: number): Condition[] => [
  { weekday: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '11:00', to: `11:${10 + block}`, not: { language: ['en'] } },
  { weekday: ['fri', 'sat'], from: '23:50', to: `00:0${block}` },
  { date: { from: `2026-12-0${block + 1}`, until: `2026-12-0${block + 1}` } },
  { os: ['iOS'], device: ['tablet'], query: { key: 'app', is: `${block}` } },
  { country: ['AT', 'CH'], region: ['Tyrol', `Canton ${block}`] },
  { query: { key: 'table', is: `${block}` } },
  { scan_number: { of: 'code', from: block * 100 + 1, to: block * 100 + 3 } },
  { lot: [`L${block}`, `M${block}`, `N${block}`] },
  { any: [{ language: ['fr', 'it'] }, { property: { key: 'material', is: `Oak ${block}` } }], device: ['desktop'] },
  { all: [{ via: ['nfc'] }, { domain: [`d${block}.acme.com`] }] },
]

export function rulesOf(count: number): StoredRules<string> {
  const conditions = Array.from({ length: Math.ceil(count / 10) }, (_, block) => conditionsOf(block)).flat()
  return {
    version: 1,
    timeZone: 'Europe/Berlin',
    rules: conditions.slice(0, count).map((when, at) => ({
      id: `rule-${at}`,
      name: `Rule ${at}`,
      active: true,
      when,
      then: { destination: `https://acme.com/${at}` },
    })),
  }
}

/** The same decisions as `rulesOf`, as a programmer would write them for these rules alone. */
export function decideByHand(facts: Facts, count: number): string | undefined {
  const local = facts.atMs + OFFSET_MS
  const minutes = Math.floor(local / MINUTE_MS)
  const day = Math.floor(minutes / DAY_MINUTES)
  const minute = minutes - day * DAY_MINUTES
  const weekday = (day + 3) % 7
  const header = facts.acceptLanguage ?? ''
  const language = header.slice(0, 2)
  for (let block = 0; block * 10 < count; block++) {
    const at = block * 10
    if (weekday < 5 && minute >= 660 && minute < 670 + block && language !== 'en') return IDS[at]
    if (count === 1) return undefined
    if (minute >= 1430 ? weekday === 4 || weekday === 5 : minute < block && (weekday === 5 || weekday === 6))
      return IDS[at + 1]
    if (day === FIRST_OF_DECEMBER + block) return IDS[at + 2]
    if (facts.os === 'iOS' && facts.device === 'tablet' && facts.query.app === DIGITS[block]) return IDS[at + 3]
    if (
      (facts.country === 'AT' || facts.country === 'CH') &&
      (facts.region === 'Tyrol' || facts.region === CANTONS[block])
    ) {
      return IDS[at + 4]
    }
    if (facts.query.table === DIGITS[block]) return IDS[at + 5]
    const number = facts.scanNumber('code')
    if (number !== undefined && number > block * 100 && number <= block * 100 + 3) return IDS[at + 6]
    if (facts.lot !== null && LOTS[block]?.includes(facts.lot)) return IDS[at + 7]
    if (
      facts.device === 'desktop' &&
      (language === 'fr' || language === 'it' || facts.property('material') === OAKS[block])
    ) {
      return IDS[at + 8]
    }
    if (facts.via === 'nfc' && facts.domain === DOMAINS[block]) return IDS[at + 9]
  }
  return undefined
}

const IDS = Array.from({ length: 50 }, (_, at) => `rule-${at}`)
const BLOCKS = [0, 1, 2, 3, 4]
const FIRST_OF_DECEMBER = toMs('2026-12-01T00:00:00Z') / (DAY_MINUTES * MINUTE_MS)
const DIGITS = BLOCKS.map(String)
const CANTONS = BLOCKS.map((block) => `Canton ${block}`)
const LOTS = BLOCKS.map((block) => [`L${block}`, `M${block}`, `N${block}`])
const OAKS = BLOCKS.map((block) => `Oak ${block}`)
const DOMAINS = BLOCKS.map((block) => `d${block}.acme.com`)
