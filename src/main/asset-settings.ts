import { join } from 'node:path'
import { getOrganisation } from '../modules/account/organisations/index.ts'
import type { UploadSettings } from '../modules/assets/assets/index.ts'
import type { Database } from '../platform/db/index.ts'
import type { AssetStore } from '../platform/files/asset-store.ts'
import { openStore } from '../platform/files/open-store.ts'
import { ImageCleaner } from '../platform/images/index.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'
import type { Config } from './config.ts'

/** Where the installation keeps the files of organisations. */
export const openAssetStore = ({ dataDir, s3 }: Pick<Config, 'dataDir' | 's3'>): Promise<AssetStore> =>
  openStore(join(dataDir, 'assets'), s3)

export const assetSettings = (
  { publicUrl, storageBytesMax }: Pick<Config, 'publicUrl' | 'storageBytesMax'>,
  { write }: Database,
  store: AssetStore,
  metrics?: Metrics,
): UploadSettings => ({
  store,
  images: new ImageCleaner(metrics),
  publicUrl,
  write,
  storageLimitOf: async (db, orgId) => (await getOrganisation(db, orgId)).storage_bytes_max ?? storageBytesMax,
  ...(metrics && { metrics }),
})
