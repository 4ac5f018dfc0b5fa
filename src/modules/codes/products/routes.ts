import { type Context, implement, type PublicUrlOf } from '../../../platform/http/index.ts'
import type { ProductPictureQuery } from '../code-images/contract.ts'
import { imageHandlers, type Logos } from '../code-images/index.ts'
import { historyHandlers } from '../history/index.ts'
import { keyValueHandlers } from '../key-values/index.ts'
import { type RuleSettings, ruleHandlers } from '../rules/index.ts'
import { scanHandlers } from '../scans/index.ts'
import { createProducts } from './batch.ts'
import { getCodeImageSource } from './code-image.ts'
import { products } from './contract.ts'
import { createProduct } from './create.ts'
import type { ImageSettings } from './images/image-downloads.ts'
import { createImage, deleteImage, listImages } from './images/images.ts'
import {
  deleteProduct,
  getProduct,
  getProductByGtin,
  listProducts,
  productOwner,
  requireProduct,
  updateProduct,
} from './service.ts'

export const productRoutes = (settings: ImageSettings, publicUrlOf: PublicUrlOf, logos: Logos, rules: RuleSettings) => {
  const inOrganisation = async ({ orgId }: Context) => ({ ...settings, linkUrl: await publicUrlOf(orgId) })
  return implement(products, {
    list: async (ctx, { query }) => listProducts(ctx, query, await inOrganisation(ctx)),
    create: async (ctx, { body }) => createProduct(ctx, body, await inOrganisation(ctx)),
    createBatch: async (ctx, { body, refused }) => createProducts(ctx, body, refused, await inOrganisation(ctx)),
    get: async (ctx, { params }) => getProduct(ctx, params.id, await inOrganisation(ctx)),
    getByGtin: async (ctx, { params }) => getProductByGtin(ctx, params.gtin, await inOrganisation(ctx)),
    update: async (ctx, { params, body }) => updateProduct(ctx, params.id, body, await inOrganisation(ctx)),
    delete: (ctx, { params }) => deleteProduct(ctx, params.id),
    ...keyValueHandlers(async (ctx) => productOwner(await inOrganisation(ctx))),
    ...scanHandlers('product', requireProduct),
    ...ruleHandlers(rules, async (ctx) => productOwner(await inOrganisation(ctx))),
    ...historyHandlers(async (ctx) => productOwner(await inOrganisation(ctx))),
    ...imageHandlers(logos, async (ctx, id, query: ProductPictureQuery) =>
      getCodeImageSource(ctx, id, query, await inOrganisation(ctx)),
    ),
    listImages: async (ctx, { params, query }) => listImages(ctx, params.id, query, await inOrganisation(ctx)),
    createImage: async (ctx, { params, body }) => createImage(ctx, params.id, body, await inOrganisation(ctx)),
    deleteImage: async (ctx, { params }) => deleteImage(ctx, params.id, params.image_id, await inOrganisation(ctx)),
  })
}
