import { setTimeout as sleep } from 'node:timers/promises'

/** Long enough for a busy machine: this is no check of how fast something is. */
const DEADLINE_SECONDS = 120

/** Polls until `check` returns something other than `undefined` or `false`, and returns it. */
export async function eventually<T>(check: () => Promise<T | undefined | false> | T | undefined | false): Promise<T> {
  const deadline = Date.now() + DEADLINE_SECONDS * 1000
  for (;;) {
    const value = await check()
    if (value !== undefined && value !== false) return value as T
    if (Date.now() > deadline) throw new Error(`the condition was not met within ${DEADLINE_SECONDS} s`)
    await sleep(20)
  }
}
