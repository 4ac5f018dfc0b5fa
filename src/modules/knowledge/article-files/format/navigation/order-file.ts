import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

/** Files about a whole documentation are beside the folder with the texts, or above it. */
export const ORDER_FOLDERS = ['', 'docs', 'website', '..', '../website']
const BYTES_MAX = 2 * 1024 * 1024

export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
    try {
      const stat = await handle.stat()
      return stat.isFile() && stat.size <= BYTES_MAX ? await handle.readFile('utf8') : undefined
    } finally {
      await handle.close()
    }
  } catch {
    return undefined
  }
}
