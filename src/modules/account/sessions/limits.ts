import { DAY_MS, toMs } from '../../../platform/clock/index.ts'

/** A session ends when it was not used for this long, */
const IDLE_MS = 7 * DAY_MS
/** and in any case after this time. */
export const ABSOLUTE_MS = 30 * DAY_MS

export const hasEnded = (session: { last_used_at: string; expires_at: string }, nowMs: number): boolean =>
  toMs(session.expires_at) <= nowMs || toMs(session.last_used_at) + IDLE_MS <= nowMs
