import { type FileHandle, mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from './sync-folder.ts'

/** Files that are kept beside the database. Their names are ours, never a customer's. */
export interface Assets {
  /** The file has its name only when it is whole and on the disk. */
  save(name: string, bytes: Buffer): Promise<void>
  /** Whether or not it is there. */
  remove(name: string): Promise<void>
  /** For reading; undefined when it is not there. Whoever opens it closes it. */
  open(name: string): Promise<FileHandle | undefined>
}

/** The folder is made when the first file is saved. */
export function openAssets(folder: string): Assets {
  return {
    async save(name, bytes) {
      await mkdir(folder, { recursive: true })
      const path = join(folder, name)
      const partial = `${path}.partial`
      try {
        await writeFile(partial, bytes, { flush: true })
        await rename(partial, path)
      } catch (error) {
        await rm(partial, { force: true })
        throw error
      }
      await syncFolder(folder)
    },
    remove: (name) => rm(join(folder, name), { force: true }),
    open: (name) =>
      open(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      }),
  }
}
