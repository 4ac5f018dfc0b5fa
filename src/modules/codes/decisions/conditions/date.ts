import { toMs } from '../../../../platform/clock/index.ts'
import { dayOf, formatDay, parseDay, type ZonedClock } from '../../../../platform/clock/zoned-time.ts'
import type { Condition } from './contract.ts'
import type { Kind } from './kind.ts'
import { known } from './ternary.ts'
import { nameDay, namePlace, nameTime } from './time-in-words.ts'

export type DateRange = NonNullable<Condition['date']>

const isDay = (bound: string): boolean => !bound.includes('T')

/** Days are what a calendar on the wall shows, and times are exact. */
export const date: Kind<DateRange> = {
  compile({ from, until }, clock) {
    const firstDay = from !== undefined && isDay(from) ? parseDay(from) : Number.NEGATIVE_INFINITY
    const lastDay = until !== undefined && isDay(until) ? parseDay(until) : Number.POSITIVE_INFINITY
    const fromMs = from === undefined || isDay(from) ? Number.NEGATIVE_INFINITY : toMs(from)
    const untilMs = until === undefined || isDay(until) ? Number.POSITIVE_INFINITY : toMs(until)
    return ({ atMs }) => {
      const day = dayOf(clock.localMs(atMs))
      return known(firstDay <= day && day <= lastDay && fromMs <= atMs && atMs < untilMs)
    }
  },
  see({ atMs }, { from = '', until = '' }, clock) {
    const localMs = clock.localMs(atMs)
    const day = dayOf(localMs)
    const isExact = (from + until).includes('T')
    return {
      saw: isExact ? `${formatDay(day)} ${nameTime(localMs)}` : formatDay(day),
      clause: `it was ${isExact ? `${nameTime(localMs)} on ` : ''}${nameDay(day)} in ${namePlace(clock)}`,
    }
  },
  asks({ from, until }) {
    const begin = from === undefined ? '' : ` from ${nameBound(from)}`
    const end = until === undefined ? '' : ` ${isDay(until) ? 'until' : 'before'} ${nameBound(until)}`
    return `a time${begin}${end}`
  },
}

const nameBound = (bound: string): string => (isDay(bound) ? nameDay(parseDay(bound)) : bound)

/** The first moment of a range, and the first one after it. */
export const momentsOf = ({ from, until }: DateRange, clock: ZonedClock) => ({
  fromMs: momentOf(from, Number.NEGATIVE_INFINITY, (day) => clock.startOfDay(day)),
  untilMs: momentOf(until, Number.POSITIVE_INFINITY, (day) => clock.endOfDay(day)),
})

function momentOf(bound: string | undefined, none: number, ofDay: (day: number) => number): number {
  if (bound === undefined) return none
  return isDay(bound) ? ofDay(parseDay(bound)) : toMs(bound)
}
