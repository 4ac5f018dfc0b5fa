import type { Database, Db } from '../../../platform/db/index.ts'
import type { AssetStore } from '../../../platform/files/asset-store.ts'
import { countAllStored, isNamed, selectAllStored } from './queries.ts'

const BATCH_ROWS = 500

/** How many files all organisations have. For the operator, like everything in this file. */
export const countStoredFiles = (db: Db): Promise<{ count: number; bytes: number }> => countAllStored(db)

interface StoredCopy {
  name: string
  mediaType: string
  sizeBytes: number
  content: AsyncIterable<Buffer>
}

/** Reads all stored files, one after the other. `onMissing` is called for each that the store does not have. */
export async function* readStoredFiles(
  { readLong }: Database,
  store: AssetStore,
  onMissing: () => void,
): AsyncGenerator<StoredCopy, void> {
  let after: string | undefined
  for (;;) {
    const rows = await selectAllStored(readLong, after, BATCH_ROWS)
    for (const { name, media_type } of rows) {
      const file = await store.open(name)
      if (file === undefined) onMissing()
      else yield { name, mediaType: media_type, sizeBytes: file.sizeBytes, content: await file.read() }
    }
    after = rows.at(-1)?.id
    if (after === undefined) return
  }
}

/** Stores a copy, unless no asset has this name: a backup may have files that are younger than its rows. */
export async function storeCopy(
  db: Db,
  store: AssetStore,
  { name, mediaType }: Pick<StoredCopy, 'name' | 'mediaType'>,
  content: AsyncIterable<Buffer>,
): Promise<boolean> {
  const staged = await store.stage(content)
  try {
    if (!(await isNamed(db, name))) return false
    await staged.store(name, mediaType)
    return true
  } finally {
    await staged.discard()
  }
}
