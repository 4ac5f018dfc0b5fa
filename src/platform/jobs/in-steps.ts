import { setTimeout as rest } from 'node:timers/promises'

/** What can be done in steps. Listing them may take time, too. */
export type Steps = () => readonly (() => Promise<unknown>)[]

/** Longer than most steps, so that requests use most of the time. */
const REST_MS = 50

/** Takes one step after another, with rests in which requests are served. Ends early when the signal is aborted. */
export async function inSteps(steps: Steps, signal: AbortSignal): Promise<void> {
  for (const step of steps()) {
    await rest(REST_MS, undefined, { ref: false })
    if (signal.aborted) return
    await step()
  }
}
