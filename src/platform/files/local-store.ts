import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type AssetStore, READ_BYTES } from './asset-store.ts'
import { checkStore, holdFile, ifMissing, removeStaged, stageFile } from './staging.ts'
import { syncFolder } from './sync-folder.ts'

/** Keeps the files in a folder next to the database. The first file creates the folder. */
export function openLocalStore(folder: string): AssetStore {
  const store: AssetStore = {
    stage: (chunks) =>
      stageFile(folder, chunks, async ({ path }, name) => {
        await rename(path, join(folder, name))
        await syncFolder(folder)
      }),
    hold: (chunks) => holdFile(folder, chunks),
    remove: (name) => rm(join(folder, name), { force: true }),
    async open(name) {
      const file = await open(join(folder, name)).catch(ifMissing(undefined))
      if (file === undefined) return undefined
      const { size } = await file.stat()
      return {
        sizeBytes: size,
        read: async (range) => file.createReadStream({ ...range, highWaterMark: READ_BYTES }),
        close: () => file.close(),
      }
    },
    removeLeftovers: () => removeStaged(folder),
    check: () => checkStore(store),
  }
  return store
}
