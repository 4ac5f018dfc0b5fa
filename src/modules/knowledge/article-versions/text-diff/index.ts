import { ThreadPool, WAITING_LIMITS } from '../../../../platform/bounded/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import type { Metrics } from '../../../../platform/telemetry/metrics.ts'
import type { Comparison, DiffTask } from './thread.ts'
import { type DiffWord, WordDiff } from './word-diff.ts'

export { TaskLimitExceeded } from '../../../../platform/bounded/index.ts'

/** Comparing any two texts of half a megabyte takes well under a second. */
const LIMITS = { ...WAITING_LIMITS, threads: 1, taskMsMax: 5000, memoryMbMax: 512 }

export interface Differ {
  /**
   * Compares two texts by line, and changed lines by word, in a thread that organisations share (`ThreadPool`). Throws
   * `QueueFull` if too many comparisons of the organisation are waiting.
   */
  compare(orgId: OrgId, before: string, after: string, signal?: AbortSignal): Promise<Comparison>
  close(): Promise<void>
}

export function createDiffer(metrics?: Metrics): Differ {
  const script = new URL('./thread.ts', import.meta.url)
  const pool = new ThreadPool<DiffTask, Comparison>('comparing', script, LIMITS, metrics)
  return {
    compare: (orgId, before, after, signal) =>
      pool.run(orgId, { before, after }, 2 * (before.length + after.length), signal),
    close: () => pool.close(),
  }
}

/** Compares two single lines by word. */
export const diffLine = (before: string, after: string): DiffWord[] => new WordDiff().compare(before, after)
