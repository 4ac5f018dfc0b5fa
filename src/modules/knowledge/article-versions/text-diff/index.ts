import { BoundedThread } from '../../../../platform/bounded-thread/index.ts'
import type { Comparison, Task } from './thread.ts'
import { type DiffWord, WordDiff } from './word-diff.ts'

export { TooIntricate } from '../../../../platform/bounded-thread/index.ts'

/** Half a megabyte against another takes well under a second, whatever they say. */
const LIMITS = { taskMsMax: 5000, memoryMbMax: 512 }

export interface Differ {
  /** What changed from one text to another, in lines, and in words within a line. */
  compare(before: string, after: string): Promise<Comparison>
  close(): Promise<void>
}

export function createDiffer(): Differ {
  const thread = new BoundedThread<Task, Comparison>(new URL('./thread.ts', import.meta.url), LIMITS)
  return { compare: (before, after) => thread.run({ before, after }), close: () => thread.close() }
}

/** The same for a single line. */
export const diffLine = (before: string, after: string): DiffWord[] => new WordDiff().compare(before, after)
