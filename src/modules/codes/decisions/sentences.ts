import type { Variant } from './bucket.ts'
import type { ResultName } from './conditions/ternary.ts'

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })
const lists = new Intl.ListFormat('en-GB')

/** With more facts, a sentence is too long to read. The conditions have all of them. */
const CLAUSES_MAX = 5
const CLAUSES_OF_ALL_MAX = 3
const UNDECIDED_MAX = 3

const capitalise = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

export function testSentence(result: ResultName, clause: string, asked: string): string {
  const comparison = {
    true: `, and the condition asks for ${asked}`,
    false: `, but the condition asks for ${asked}`,
    unknown: '',
  }
  return `${capitalise(clause)}${comparison[result]}.`
}

/** What followed from facts. They are left out if there are none, or too many. */
function following(clauses: readonly string[], outcome: string, max = CLAUSES_MAX): string {
  const isShort = clauses.length > 0 && clauses.length <= max
  return `${capitalise(isShort ? `${lists.format(clauses)}, so ${outcome}` : outcome)}.`
}

export const ruleSentence = (name: string, result: ResultName, clauses: readonly string[]): string =>
  following(
    clauses,
    result === 'true' ? `*${name}* ${clauses.length === 0 ? 'always matches' : 'matched'}` : `*${name}* did not match`,
  )

export const offSentence = (name: string): string => `*${name}* is turned off.`

export const notTriedSentence = (name: string, matched: string): string =>
  `*${name}* was not tried, because *${matched}* matched before.`

/** `key` is the variant that was chosen. */
export function variantSentence(key: string | null, split: readonly Variant<unknown>[], isKnown: boolean): string {
  if (!isKnown) return `The visitor is unknown, so the first variant was used, which is ${key}.`
  const total = split.reduce((sum, { weight }) => sum + weight, 0)
  const weight = split.find((variant) => variant.key === key)?.weight ?? 0
  return `The visitor got variant ${key}, as ${percent.format(weight / total)} of all visitors do.`
}

/** A rule that was tried, and the facts that decided about it. */
export interface TriedRule {
  name: string
  result: ResultName
  clauses: readonly string[]
}

/** Why no rule matched. If the facts are too many, only those that are unknown. */
export function defaultSentence(tried: readonly TriedRule[]): string {
  if (tried.length === 0) return 'There is no active rule.'
  const outcome =
    tried.length === 1 ? 'the only active rule did not match' : `none of the ${tried.length} active rules matched`
  const all = new Set(tried.flatMap(({ clauses }) => clauses))
  // "It was 00:30 on Tuesday, still in the window of Monday" also says that it was 00:30 on Tuesday.
  const facts = [...all].filter((fact) => ![...all].some((other) => other !== fact && other.startsWith(fact)))
  const undecided = tried.filter(({ result }) => result === 'unknown' && facts.length > CLAUSES_OF_ALL_MAX)
  const more = undecided.length - UNDECIDED_MAX
  return [
    following(facts, outcome, CLAUSES_OF_ALL_MAX),
    ...undecided
      .slice(0, UNDECIDED_MAX)
      .map(({ name, clauses }) => `*${name}* could not be decided: ${lists.format(clauses)}.`),
    ...(more > 0 ? [`Nor could ${more} more.`] : []),
  ].join(' ')
}
