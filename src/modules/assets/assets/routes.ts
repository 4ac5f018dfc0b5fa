import { implement } from '../../../platform/http/index.ts'
import { assets } from './contract.ts'
import { deleteAsset, getAsset, listAssets, uploadAsset } from './service.ts'
import type { AssetSettings } from './store.ts'

export const assetRoutes = (settings: AssetSettings) =>
  implement(assets, {
    list: (ctx, { query, after }) => listAssets(ctx, query, after, settings),
    create: (ctx, { upload, query }) => uploadAsset(ctx, upload, query, settings),
    get: (ctx, { params }) => getAsset(ctx, params.id, settings),
    delete: (ctx, { params }) => deleteAsset(ctx, params.id, settings),
  })
