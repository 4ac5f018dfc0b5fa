import { open } from 'node:fs/promises'

/** A new name is safe from a power cut only when its folder is on the disk too. Windows does not let one ask for it. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
