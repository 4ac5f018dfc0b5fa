import { dayOf, type ZonedClock } from '../../../../platform/clock/zoned-time.ts'
import type { Condition } from '../conditions/contract.ts'
import { type DateRange, momentsOf } from '../conditions/date.ts'
import type { KindName, ValueOf } from '../conditions/index.ts'
import { nameDay } from '../conditions/time-in-words.ts'
import { whyNeverTime } from './never-time.ts'
import { whyNeverEqual, whyNeverLanguage, whyNeverListed, whyNeverNumbered } from './never-values.ts'
import { includes, type Part, partsOf } from './parts.ts'

/** Why a condition does not hold, at any time or from now on. `because` completes a sentence. */
export interface Never {
  code: 'never_matches' | 'over'
  because: string
}

/** Finds parts that exclude each other. Undefined is no proof that the condition can hold. */
export function whyNever(condition: Condition, clock: ZonedClock, nowMs: number): Never | undefined {
  const parts = partsOf(condition)
  const valuesOf = <Name extends KindName>(kind: Name): ValueOf<Name>[] =>
    parts.flatMap((part) => ('test' in part && part.test.kind === kind ? [part.test.value as ValueOf<Name>] : []))
  const contradiction =
    whyNeverTime(valuesOf('time')) ??
    whyNeverListed(valuesOf) ??
    whyNeverLanguage(valuesOf('language')) ??
    whyNeverEqual(valuesOf) ??
    whyNeverNumbered(valuesOf('scan_number')) ??
    whyNeverWithout(parts)
  if (contradiction !== undefined) return { code: 'never_matches', because: contradiction }
  return whyNeverDate(valuesOf('date'), clock, nowMs) ?? whyNoAlternative(parts, clock, nowMs)
}

function whyNeverDate(ranges: readonly DateRange[], clock: ZonedClock, nowMs: number): Never | undefined {
  const moments = ranges.map((range) => momentsOf(range, clock))
  const fromMs = Math.max(...moments.map((range) => range.fromMs))
  const untilMs = Math.min(...moments.map((range) => range.untilMs))
  if (fromMs >= untilMs) {
    const because = ranges.length === 1 ? 'its date ends before it begins' : 'its dates exclude each other'
    return { code: 'never_matches', because }
  }
  if (untilMs > nowMs) return undefined
  return { code: 'over', because: `its last day was ${nameDay(dayOf(clock.localMs(untilMs - 1)))}` }
}

const whyNeverWithout = (parts: readonly Part[]): string | undefined =>
  parts.some((part) => 'not' in part && includes(parts, part.not)) ? 'it excludes what it asks for' : undefined

/** An `any` of which no condition can hold. */
function whyNoAlternative(parts: readonly Part[], clock: ZonedClock, nowMs: number): Never | undefined {
  for (const part of parts) {
    if (!('any' in part)) continue
    const found = part.any.map((condition) => whyNever(condition, clock, nowMs))
    const [first] = found
    if (first !== undefined && found.every((one) => one !== undefined)) return first
  }
  return undefined
}

/** The conditions of an `any` that never hold, although others of it may. */
export function whyNeverAlternatives(condition: Condition, clock: ZonedClock, nowMs: number): Never[] {
  const alternatives = partsOf(condition).flatMap((part) => ('any' in part ? part.any : []))
  return alternatives.flatMap((one) => {
    const found = whyNever(one, clock, nowMs)
    return found === undefined ? whyNeverAlternatives(one, clock, nowMs) : [found]
  })
}
