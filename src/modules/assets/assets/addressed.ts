import type { Db } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { selectByName } from './queries.ts'
import type { AssetSettings } from './store.ts'

interface AddressedAsset {
  id: string
  file_name: string
  media_type: string
}

/** Whether it is the URL of an asset of any organisation. */
export const isAssetUrl = (url: string, { publicUrl }: Pick<AssetSettings, 'publicUrl'>): boolean =>
  url.startsWith(`${publicUrl}/assets/`)

/** The organisation's own public assets with these URLs, by URL. */
export async function findAddressedAssets(
  db: Db,
  orgId: OrgId,
  urls: readonly string[],
  { publicUrl }: Pick<AssetSettings, 'publicUrl'>,
): Promise<ReadonlyMap<string, AddressedAsset>> {
  const names = urls
    .filter((url) => isAssetUrl(url, { publicUrl }))
    .map((url) => url.slice(`${publicUrl}/assets/`.length))
  if (names.length === 0) return new Map()
  const rows = await selectByName(db, orgId, names)
  return new Map(rows.map(({ name, ...asset }) => [`${publicUrl}/assets/${name}`, asset]))
}
