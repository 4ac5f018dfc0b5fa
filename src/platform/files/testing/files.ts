import type { AssetStore, ByteRange } from '../asset-store.ts'

/** Stages and stores a file, as a request does. Returns what is known about its content. */
export async function saveFile(
  store: AssetStore,
  name: string,
  chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
): Promise<{ sizeBytes: number; sha256: string }> {
  const staged = await store.stage(chunks)
  try {
    await staged.store(name, 'image/png')
    return { sizeBytes: staged.sizeBytes, sha256: staged.sha256 }
  } finally {
    await staged.discard()
  }
}

/** Returns the content of a stored file; undefined if there is none. */
export async function readStored(store: AssetStore, name: string, range?: ByteRange): Promise<Buffer | undefined> {
  const file = await store.open(name)
  return file === undefined ? undefined : Buffer.concat(await (await file.read(range)).toArray())
}
