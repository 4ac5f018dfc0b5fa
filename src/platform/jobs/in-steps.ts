import { setTimeout as rest } from 'node:timers/promises'

/** What can be done in steps. Listing them may take time, too. */
export type Steps = () => readonly (() => Promise<unknown>)[]

/** A rest takes this many times as long as the step before it, so that requests use most of the time. */
const REST_FACTOR = 2

/** Takes one step after another, with rests in which requests are served. Ends early when the signal is aborted. */
export async function inSteps(steps: Steps, signal?: AbortSignal): Promise<void> {
  for (const step of steps()) {
    if (signal?.aborted) return
    const startedAt = performance.now()
    await step()
    await rest(REST_FACTOR * (performance.now() - startedAt), undefined, { ref: false })
  }
}
