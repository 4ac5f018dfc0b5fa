import { DAY_MS } from '../../../../platform/clock/index.ts'
import { minuteOf, type ZonedClock } from '../../../../platform/clock/zoned-time.ts'

const twoDigits = (number: number): string => String(number).padStart(2, '0')

/** Such as 12:10. */
export function nameTime(localMs: number): string {
  const minute = minuteOf(localMs)
  return `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`
}

const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** Such as 16 November 2026. */
export const nameDay = (day: number): string => days.format(day * DAY_MS)

/** What people call a time zone: New York, for America/New_York. */
export const namePlace = ({ timeZone }: ZonedClock): string =>
  timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ')
