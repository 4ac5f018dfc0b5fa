import { beginsOn, DAY_MINUTES, type TimeOfWeek, windowOf } from '../conditions/time.ts'

/** The minutes of a week in which windows are open, Monday first. */
function minutesOf(window: TimeOfWeek): Uint8Array {
  const { from, to } = windowOf(window)
  const minutes = new Uint8Array(7 * DAY_MINUTES)
  const open = (begin: number, end: number) => minutes.fill(1, begin, end)
  for (const [weekday, begins] of beginsOn(window).entries()) {
    if (!begins) continue
    const midnight = weekday * DAY_MINUTES
    if (from < to) open(midnight + from, midnight + to)
    else {
      open(midnight + from, midnight + DAY_MINUTES)
      const next = ((weekday + 1) % 7) * DAY_MINUTES
      open(next, next + to)
    }
  }
  return minutes
}

/** Whether there is no minute of the week in which all windows are open. */
export function whyNeverTime(windows: readonly TimeOfWeek[]): string | undefined {
  const all = windows.map(minutesOf)
  const [first] = all
  if (first === undefined || first.some((_, minute) => all.every((minutes) => minutes[minute] === 1))) return undefined
  return 'its weekdays and times exclude each other'
}
