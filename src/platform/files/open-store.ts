import type { AssetStore } from './asset-store.ts'
import { openLocalStore } from './local-store.ts'
import type { S3Settings } from './s3-store.ts'

/** Opens the bucket if one is configured, otherwise the local folder. Files on their way to a bucket pass through it. */
export async function openStore(folder: string, s3: S3Settings | undefined): Promise<AssetStore> {
  if (s3 === undefined) return openLocalStore(folder)
  // Loaded on demand: most installations have no bucket, and a start must be quick.
  const { openS3Store } = await import('./s3-store.ts')
  return openS3Store(s3, folder)
}
