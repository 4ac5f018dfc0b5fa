import { type FileHandle, mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from './sync-folder.ts'

/** Files that are stored next to the database. We choose their names, never a customer. */
export interface Assets {
  /** The file appears under its name only when it is complete and on disk. */
  save(name: string, bytes: Buffer): Promise<void>
  /** Does nothing if there is no such file. */
  remove(name: string): Promise<void>
  /** Opens a file for reading; undefined if there is none. The caller closes it. */
  open(name: string): Promise<FileHandle | undefined>
}

/** The first save creates the folder. */
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
