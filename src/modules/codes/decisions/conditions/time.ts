import { dayOf, minuteOf, weekdayOf } from '../../../../platform/clock/zoned-time.ts'
import { type Condition, WEEKDAYS } from './contract.ts'
import { eitherOf, type Kind } from './kind.ts'
import { known } from './ternary.ts'
import { namePlace, nameTime } from './time-in-words.ts'

export type TimeOfWeek = Pick<Condition, 'weekday' | 'from' | 'to'>

export const DAY_MINUTES = 24 * 60

const WEEKDAY_NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

const toMinutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** The minutes of a window. It ends at or before its beginning if it ends on the next day. */
export const windowOf = ({ from = '00:00', to = '24:00' }: TimeOfWeek) => ({ from: toMinutes(from), to: toMinutes(to) })

/** Whether a window begins on each day of the week, Monday first. */
export const beginsOn = ({ weekday }: TimeOfWeek): boolean[] =>
  WEEKDAYS.map((name) => weekday === undefined || weekday.includes(name))

/** What a clock on the wall shows. So an hour that the clocks repeat is in a window twice. */
export const time: Kind<TimeOfWeek> = {
  compile(value, clock) {
    const { from, to } = windowOf(value)
    const begins = beginsOn(value)
    const isFirst = (day: number): boolean => begins[weekdayOf(day)] === true
    if (from < to) {
      return ({ atMs }) => {
        const localMs = clock.localMs(atMs)
        const minute = minuteOf(localMs)
        return known(from <= minute && minute < to && isFirst(dayOf(localMs)))
      }
    }
    return ({ atMs }) => {
      const localMs = clock.localMs(atMs)
      const minute = minuteOf(localMs)
      return known(minute >= from ? isFirst(dayOf(localMs)) : minute < to && isFirst(dayOf(localMs) - 1))
    }
  },
  see({ atMs }, value, clock) {
    const localMs = clock.localMs(atMs)
    const weekday = weekdayOf(dayOf(localMs))
    const { from, to } = windowOf(value)
    const isAfterMidnight = to <= from && minuteOf(localMs) < to
    const clause = `it was ${nameTime(localMs)} in ${namePlace(clock)} on ${WEEKDAY_NAMES[weekday]}`
    return {
      saw: `${WEEKDAY_NAMES[weekday]} ${nameTime(localMs)}`,
      clause: isAfterMidnight ? `${clause}, still in the window of ${WEEKDAY_NAMES[(weekday + 6) % 7]}` : clause,
    }
  },
  asks(value) {
    const days = eitherOf(WEEKDAY_NAMES.filter((_, at) => value.weekday !== undefined && beginsOn(value)[at]))
    if (value.from === undefined && value.to === undefined) return days
    const { from, to } = windowOf(value)
    const hours = `${value.from ?? '00:00'} to ${value.to ?? '24:00'}${0 < to && to <= from ? ' of the next day' : ''}`
    return days === '' ? hours : `${days} from ${hours}`
  },
}
