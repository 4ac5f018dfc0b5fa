import { open } from 'node:fs/promises'

/** A new file survives a power cut only once its folder is synced, too. Windows does not support that. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
