import { type Clock, timestamp } from '../../../platform/clock/index.ts'
import { batchesOf, type Database, type Db } from '../../../platform/db/index.ts'
import type { AssetStore } from '../../../platform/files/asset-store.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { IMAGE_HEAD_BYTES, type ImageSize, imageSizeOf } from '../../../platform/images/index.ts'
import { selectSizes, selectUnmeasured, updateSize } from './queries.ts'
import type { PacedWrite } from './removals.ts'
import { mentionAssets, namesIn } from './stored-name.ts'

const BATCH_FILES = 50
/** A statement takes a limited number of parameters. */
const STATEMENT_NAMES_MAX = 500

export const isImage = (mediaType: string): boolean => mediaType.startsWith('image/')

/** Returns the size of an image by its URL. Knows those of the organisation whose URLs are in the text. */
export async function findImageSizes(
  db: Db,
  orgId: OrgId,
  text: string,
): Promise<(url: string) => ImageSize | undefined> {
  const names = mentionAssets([text]) ? namesIn([text]) : []
  const sizes = new Map<string, ImageSize>()
  for (const some of batchesOf(names, STATEMENT_NAMES_MAX)) {
    for (const row of await selectSizes(db, orgId, some)) {
      if (row.width !== null && row.height !== null) sizes.set(row.name, { width: row.width, height: row.height })
    }
  }
  return (url) => sizes.get(namesIn([url])[0] ?? '')
}

/** Reads the sizes of some files from before sizes were stored. Returns false if there were none. */
export async function measureAssets(
  database: Database,
  store: AssetStore,
  clock: Clock,
  write: PacedWrite,
): Promise<boolean> {
  const files = await selectUnmeasured(database.read, BATCH_FILES)
  for (const { id, orgId, name, media_type } of files) {
    const { width, height } = (isImage(media_type) && (await readSize(store, name))) || { width: null, height: null }
    await write(orgId, (tx) => updateSize(tx, orgId, id, { width, height }, timestamp(clock())))
  }
  return files.length > 0
}

async function readSize(store: AssetStore, name: string): Promise<ImageSize | undefined> {
  const file = await store.open(name)
  if (file === undefined) return undefined
  const chunks: Buffer[] = []
  const end = Math.min(file.sizeBytes, IMAGE_HEAD_BYTES) - 1
  for await (const chunk of await file.read({ start: 0, end })) chunks.push(chunk as Buffer)
  return imageSizeOf(Buffer.concat(chunks))
}
