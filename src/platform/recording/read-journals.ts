import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ifMissing } from '../files/staging.ts'
import type { Texts } from './journal-file.ts'
import { readLines } from './journal-file.ts'

/** What waits in the files of all processes below this folder, also of running ones. */
export async function* readJournals(folder: string, entries: string): AsyncGenerator<Texts, void> {
  for (const name of await readdir(folder, { recursive: true }).catch(ifMissing([]))) {
    if (!name.endsWith(`.${entries}`)) continue
    const handle = await open(join(folder, name)).catch(ifMissing(undefined))
    if (handle === undefined) continue
    try {
      yield* readLines(handle, Number.POSITIVE_INFINITY)
    } finally {
      await handle.close()
    }
  }
}
