import { type OfficeHours, type Range, WEEKDAYS } from './contract.ts'

/** Whether people answer at this time. Without office hours they always do. */
export function isOpen(hours: OfficeHours | null, nowMs: number): boolean {
  if (hours === null) return true
  const { weekday, time } = wallClock(hours.time_zone, nowMs)
  const ranges: readonly Range[] = hours.days[weekday] ?? []
  return ranges.some(({ from, to }) => from <= time && time < to)
}

/** What a clock on the wall of the office shows. `24:00` is later than any time, so that it ends the day. */
function wallClock(timeZone: string, nowMs: number): { weekday: (typeof WEEKDAYS)[number]; time: string } {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(nowMs)
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  const name = part('weekday').toLowerCase()
  const weekday = WEEKDAYS.find((one) => one === name)
  if (weekday === undefined) throw new Error(`${name} is not a weekday`)
  return { weekday, time: `${part('hour')}:${part('minute')}` }
}
