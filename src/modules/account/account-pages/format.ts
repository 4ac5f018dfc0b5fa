import { DAY_MS, HOUR_MS } from '../../../platform/clock/index.ts'

export { formatTime } from '../../../platform/text/format-time.ts'

/** Such as `5 days`, or `30 hours` when less than two days are left. Rounded down: nobody should count on more. */
export function formatTimeLeft(ms: number, language: string): string {
  const isLong = ms >= 2 * DAY_MS
  const unit = isLong ? 'day' : 'hour'
  const left = Math.max(0, Math.floor(ms / (isLong ? DAY_MS : HOUR_MS)))
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(left)
}
