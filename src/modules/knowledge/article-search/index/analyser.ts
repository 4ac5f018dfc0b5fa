import { BoundedThread } from '../../../../platform/bounded/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import type { FiledKeys, SpelledWord } from '../vocabulary/misspelling-keys.ts'
import type { SearchableText } from './analyse.ts'
import type { IndexEntry, KeysTask, TextTask } from './analyser-thread.ts'

/** Any text of half a megabyte takes less than a second and 100 MB. */
const LIMITS = { taskMsMax: 3000, memoryMbMax: 256 }

/** Computes what indexing stores. Runs in a thread: a large text takes a tenth of a second. */
export interface Analyser {
  /** Returns undefined if the text has this digest, which means that it is in the index already. */
  analyse(orgId: OrgId, text: SearchableText, digest: string | undefined): Promise<IndexEntry | undefined>
  /** Returns the keys of all the words, in order: storing neighbours together changes few pages of the database. */
  keysOf(orgId: OrgId, words: readonly SpelledWord[]): Promise<FiledKeys>
  close(): Promise<void>
}

export function createAnalyser(): Analyser {
  const script = new URL('./analyser-thread.ts', import.meta.url)
  const thread = new BoundedThread<TextTask | KeysTask, IndexEntry | FiledKeys | undefined>(script, LIMITS)
  return {
    analyse: (orgId, text, digest) => thread.run({ orgId, text, digest }) as Promise<IndexEntry | undefined>,
    keysOf: (orgId, words) => thread.run({ orgId, words }) as Promise<FiledKeys>,
    close: () => thread.close(),
  }
}
