export { findAddressedAssets, isAssetUrl } from './addressed.ts'
export { drawCleanFile, ImageRefused, toCleanFile } from './clean-file.ts'
export type { UploadSettings } from './clean-upload.ts'
export { countStoredFiles, readStoredFiles, storeCopy } from './copies.ts'
export { toFileName } from './file-name.ts'
export { findFileProblem, findStoredPaths, storeLocalFile } from './local-file.ts'
export type { AssetOwner } from './reference-queries.ts'
export { addAssetReferences, releaseAssets, removeAssetReferences, setAssetReferences } from './references.ts'
export {
  ASSET_TABLES_LEFT_OUT,
  deleteAssets,
  deleteExpiredAssets,
  dropAssetsOf,
  REMOVALS_TOPIC,
  removeDueFiles,
} from './removals.ts'
export { assetRoutes } from './routes.ts'
export { findImageSizes, measureAssets } from './sizes.ts'
export { findStorageError, getStorageError } from './storage.ts'
export {
  type AssetSettings,
  claimAssets,
  type HeldAsset,
  type NewFile,
  openAsset,
  storeAsset,
  withStoredFiles,
} from './store.ts'
