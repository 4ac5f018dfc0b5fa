import { createReadStream } from 'node:fs'
import { batchesOf, type Db } from '../../../platform/db/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { UPLOAD_BYTES_MAX } from './contract.ts'
import { toFileName } from './file-name.ts'
import { findFileType } from './file-type.ts'
import { selectStoredNames } from './queries.ts'
import { type AssetSettings, storeAsset } from './store.ts'
import { hashOf } from './stored-name.ts'

/** A statement takes a limited number of parameters. */
const STATEMENT_HASHES_MAX = 500

/** Returns why a file on the local disk cannot become an asset; undefined if it can. */
export async function findFileProblem(path: string, sizeBytes: number): Promise<string | undefined> {
  if (sizeBytes > UPLOAD_BYTES_MAX) return 'is larger than 15 MiB'
  const type = await findFileType({ path })
  return type === undefined ? 'is not a JPEG, PNG, WebP, GIF, AVIF, ICO, PDF, MP4, WebM or MP3 file' : undefined
}

/** The paths of those contents that the organisation has stored already, by their SHA-256. */
export async function findStoredPaths(
  db: Db,
  orgId: OrgId,
  contents: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const byHash = new Map(contents.map((sha256) => [hashOf(orgId, 'public', sha256), sha256]))
  const hashes = [...byHash.keys()]
  const paths = new Map<string, string>()
  for (const some of batchesOf(hashes, STATEMENT_HASHES_MAX)) {
    const rows = await selectStoredNames(db, orgId, some)
    for (const { hash, name } of rows) paths.set(byHash.get(hash ?? '') ?? '', pathOf(name))
  }
  return paths
}

/** Has no host: the pages that show it are on the same host, and that may change. */
const pathOf = (name: string): string => `/assets/${name}`

/**
 * Stores a file of the local disk, once for the same content. Something must refer to it within a day. Returns undefined
 * if it does not fit into the storage of the organisation.
 */
export async function storeLocalFile(
  ctx: Pick<Context, 'orgId' | 'now' | 'log'>,
  file: string,
  fileName: string,
  settings: AssetSettings,
): Promise<{ path: string; isNew: boolean } | undefined> {
  const staged = await settings.store.stage(createReadStream(file))
  try {
    const type = await findFileType(staged)
    if (type === undefined) throw new Error('the file was not checked')
    const asset = { staged, ...type, fileName: toFileName(fileName, `file.${type.extension}`) }
    const held = await storeAsset(ctx, asset, 'public', settings)
    return held && { path: pathOf(held.name), isNew: held.isNew }
  } finally {
    await staged.discard()
  }
}
