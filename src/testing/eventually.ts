import { setTimeout as sleep } from 'node:timers/promises'

/** Polls until `check` returns something other than `undefined` or `false`, and returns it. */
export async function eventually<T>(check: () => Promise<T | undefined | false> | T | undefined | false): Promise<T> {
  const deadline = Date.now() + 15_000
  for (;;) {
    const value = await check()
    if (value !== undefined && value !== false) return value as T
    if (Date.now() > deadline) throw new Error('the condition was not met within 15 s')
    await sleep(20)
  }
}
