import { DatabaseUnavailable } from './failures.ts'

/** What is not there in time counts as not to be had. The work itself goes on; nobody waits for it any more. */
export async function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new DatabaseUnavailable(`the database did not answer within ${timeoutMs} ms`, undefined)),
      timeoutMs,
    )
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
    // It may fail after all, later, when nobody listens.
    work.catch(() => {})
  }
}
