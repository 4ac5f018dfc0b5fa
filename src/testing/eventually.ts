import { setTimeout as sleep } from 'node:timers/promises'

/** Long enough for a busy machine: this is no check of how fast something is. */
const DEADLINE_SECONDS = 120

/** Polls again after a while, and the longer it has waited the less often: what takes long would otherwise be slowed down. */
const PAUSE_MS = { min: 10, max: 250 }
const PAUSE_SHARE = 0.1

/** Polls until `check` returns something other than `undefined` or `false`, and returns it. */
export async function eventually<T>(check: () => Promise<T | undefined | false> | T | undefined | false): Promise<T> {
  const startedAtMs = Date.now()
  for (;;) {
    const value = await check()
    if (value !== undefined && value !== false) return value as T
    const waitedMs = Date.now() - startedAtMs
    if (waitedMs > DEADLINE_SECONDS * 1000) throw new Error(`the condition was not met within ${DEADLINE_SECONDS} s`)
    await sleep(Math.min(PAUSE_MS.max, Math.max(PAUSE_MS.min, waitedMs * PAUSE_SHARE)))
  }
}
