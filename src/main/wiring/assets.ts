import { join } from 'node:path'
import { startAssets } from '../../modules/assets/clean-up/index.ts'
import { createUploads } from '../../modules/assets/uploads/index.ts'
import { startSweep } from '../../platform/files/staging.ts'
import { UploadReader } from '../../platform/http/bodies/upload-reader.ts'
import { mountAssets } from '../../platform/http/caching/assets.ts'
import { assetSettings, openAssetStore } from '../asset-settings.ts'
import type { Ground } from './ground.ts'

export async function wireAssets(ground: Ground) {
  const { config, database, health, server, uploadTimes, metrics, log, shutdown } = ground
  const store = await openAssetStore(config)
  if (config.s3 === undefined) health.watchFolder('files', join(config.dataDir, 'assets'))
  const settings = assetSettings(config, database, store, metrics)
  return {
    store,
    settings,
    mountFiles: () => mountAssets(server, store),
    /** Reads uploads to the API. Those that were cut off are deleted from the disk. */
    createUploadReader(): UploadReader {
      shutdown.atLast(startSweep(store, log))
      return new UploadReader(store, uploadTimes, metrics)
    },
    /** Reads what visitors send. */
    createUploads: () => createUploads({ ...ground, assets: settings }),
    startWork: () => shutdown.atLast(startAssets({ ...ground, store })),
  }
}

export type AssetGroup = Awaited<ReturnType<typeof wireAssets>>
