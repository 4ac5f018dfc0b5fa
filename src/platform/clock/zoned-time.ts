import { DAY_MS, MINUTE_MS } from './index.ts'

/** More than there are time zones. Only different spellings of their names can reach it. */
const CLOCKS_MAX = 1000
const clocks = new Map<string, ZonedClock>()

/**
 * Tells the local time of a time zone. To ask for the offset of a zone takes some microseconds, so it is kept until the clocks
 * of the zone change.
 */
export class ZonedClock {
  readonly timeZone: string
  /** The offset holds from the first of these times until before the second. At first it never does. */
  #fromMs = 0
  #untilMs = 0
  #offsetMs = 0

  /** `timeZone` is a name that `field.timeZone` accepts. */
  constructor(timeZone: string) {
    this.timeZone = canonicalTimeZone(timeZone)
  }

  /** Returns the milliseconds since 1970 that a clock in UTC would count if it showed this zone's date and time. */
  localMs(atMs: number): number {
    if (atMs < this.#fromMs || atMs >= this.#untilMs) this.#findOffset(atMs)
    return atMs + this.#offsetMs
  }

  /** The first moment of a day, which is not midnight where the clocks skip it. Days are counted from 1970-01-01. */
  startOfDay(day: number): number {
    return dateOf(day).toZonedDateTime(this.timeZone).epochMilliseconds
  }

  /** The first moment at which a day is over, also where the clocks go back to it. */
  endOfDay(day: number): number {
    const midnight = dateOf(day + 1).toPlainDateTime()
    return midnight.toZonedDateTime(this.timeZone, { disambiguation: 'later' }).epochMilliseconds
  }

  #findOffset(atMs: number): void {
    const time = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(this.timeZone)
    // A transition at this very time is the beginning, and `previous` looks strictly before the time that it is given.
    const begin = time.add({ milliseconds: 1 }).getTimeZoneTransition('previous')
    this.#fromMs = begin?.epochMilliseconds ?? Number.NEGATIVE_INFINITY
    this.#untilMs = time.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY
    this.#offsetMs = time.offsetNanoseconds / 1e6
  }
}

/** Returns the clock of a time zone. All that is decided in a zone shares one. */
export function zonedClock(timeZone: string): ZonedClock {
  const known = clocks.get(timeZone)
  if (known !== undefined) return known
  if (clocks.size === CLOCKS_MAX) clocks.clear()
  const clock = new ZonedClock(timeZone)
  clocks.set(timeZone, clock)
  return clock
}

const dateOf = (day: number): Temporal.PlainDate => Temporal.PlainDate.from('1970-01-01').add({ days: day })

/** Intl also knows abbreviations such as PST, which Temporal does not. */
const canonicalTimeZone = (timeZone: string): string =>
  new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone

/** The number of days since 1970-01-01. */
export const dayOf = (localMs: number): number => Math.floor(localMs / DAY_MS)

/** The minute of the day, from 0. */
export const minuteOf = (localMs: number): number => Math.floor((localMs - dayOf(localMs) * DAY_MS) / MINUTE_MS)

/** The day of the week: 0 is Monday. */
export const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7

/** Reads a date such as 2026-11-16 as a number of days since 1970-01-01. */
export const parseDay = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS

/** Writes a number of days since 1970-01-01 as a date such as 2026-11-16. */
export const formatDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)
