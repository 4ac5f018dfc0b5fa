import { implement } from '../../../platform/http/index.ts'
import type { UploadSettings } from './clean-upload.ts'
import { assets } from './contract.ts'
import { deleteAsset, getAsset, listAssets, uploadAsset } from './service.ts'

export const assetRoutes = (settings: UploadSettings) =>
  implement(assets, {
    list: (ctx, { query, after }) => listAssets(ctx, query, after, settings),
    create: (ctx, { upload, query }) => uploadAsset(ctx, upload, query, settings),
    get: (ctx, { params }) => getAsset(ctx, params.id, settings),
    delete: (ctx, { params }) => deleteAsset(ctx, params.id, settings),
  })
