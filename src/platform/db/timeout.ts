import { DatabaseUnavailable } from './failures.ts'

/** Rejects with `DatabaseUnavailable` after the timeout. The work itself continues, but its result is ignored. */
export async function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new DatabaseUnavailable(`the database did not respond within ${timeoutMs} ms`, undefined)),
      timeoutMs,
    )
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
    // Prevents an unhandled rejection if the work fails after the timeout.
    work.catch(() => {})
  }
}
