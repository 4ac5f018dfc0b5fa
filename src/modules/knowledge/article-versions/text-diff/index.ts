import { BoundedThread } from '../../../../platform/bounded-thread/index.ts'
import type { Comparison, Task } from './thread.ts'
import { type DiffWord, WordDiff } from './word-diff.ts'

export { TaskLimitExceeded } from '../../../../platform/bounded-thread/index.ts'

/** Comparing any two texts of half a megabyte takes well under a second. */
const LIMITS = { taskMsMax: 5000, memoryMbMax: 512 }

export interface Differ {
  /** Compares two texts by line, and changed lines by word. */
  compare(before: string, after: string): Promise<Comparison>
  close(): Promise<void>
}

export function createDiffer(): Differ {
  const thread = new BoundedThread<Task, Comparison>(new URL('./thread.ts', import.meta.url), LIMITS)
  return { compare: (before, after) => thread.run({ before, after }), close: () => thread.close() }
}

/** Compares two single lines by word. */
export const diffLine = (before: string, after: string): DiffWord[] => new WordDiff().compare(before, after)
