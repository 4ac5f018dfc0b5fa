import type { Condition } from '../conditions/contract.ts'
import { type OwnTest, ownTestsOf } from '../conditions/index.ts'

/** One of the parts of a condition that all have to hold. */
export type Part = { text: string } & ({ test: OwnTest } | { any: readonly Condition[] } | { not: Condition })

/** Each condition is compared with all that come after it, and never changes. */
const known = new WeakMap<Condition, readonly Part[]>()

/** A condition as parts that all have to hold. A condition without parts always holds. */
export function partsOf(condition: Condition): readonly Part[] {
  const parts = known.get(condition) ?? toParts(condition)
  known.set(condition, parts)
  return parts
}

function toParts(condition: Condition): Part[] {
  const { all = [], any, not } = condition
  return [
    ...ownTestsOf(condition).map((test) => ({ text: textOf(test), test })),
    ...all.flatMap(partsOf),
    ...(any === undefined || any.some(isAlwaysTrue) ? [] : [{ text: textOf({ any }), any }]),
    ...(not === undefined ? [] : [{ text: textOf({ not }), not }]),
  ]
}

export const isAlwaysTrue = (condition: Condition): boolean => partsOf(condition).length === 0

/** Whether a condition that has these parts can only hold together with another one. */
export const includes = (parts: readonly Part[], other: Condition): boolean =>
  partsOf(other).every(({ text }) => parts.some((part) => part.text === text))

/** A text that is the same for values that mean the same: no list of a condition has an order, and no object. */
const textOf = (value: unknown): string => JSON.stringify(sorted(value))

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(textOf).sort()
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, set]) => set !== undefined)
  return entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, set]) => [key, sorted(set)])
}
