import { implement } from '../../../platform/http/index.ts'
import { keyValueHandlers } from '../key-values/index.ts'
import { imageHandlers } from '../pictures/index.ts'
import { scanHandlers } from '../scans/index.ts'
import { products } from './contract.ts'
import { createProduct } from './create.ts'
import { addImage, deleteImage, listImages } from './images.ts'
import {
  deleteProduct,
  getProduct,
  getProductByGtin,
  getProductImageSource,
  listProducts,
  type ProductSettings,
  productOwner,
  requireProduct,
  updateProduct,
} from './service.ts'

export const productRoutes = (settings: ProductSettings) =>
  implement(products, {
    list: (ctx, { query }) => listProducts(ctx, query, settings),
    create: (ctx, { body }) => createProduct(ctx, body, settings),
    get: (ctx, { params }) => getProduct(ctx, params.id, settings),
    getByGtin: (ctx, { params }) => getProductByGtin(ctx, params.gtin, settings),
    update: (ctx, { params, body }) => updateProduct(ctx, params.id, body, settings),
    delete: (ctx, { params }) => deleteProduct(ctx, params.id),
    ...keyValueHandlers(productOwner(settings)),
    ...scanHandlers(requireProduct),
    ...imageHandlers((ctx, id) => getProductImageSource(ctx, id, settings)),
    listImages: (ctx, { params, query }) => listImages(ctx, params.id, query, settings),
    addImage: (ctx, { params, body }) => addImage(ctx, params.id, body, settings),
    deleteImage: (ctx, { params }) => deleteImage(ctx, params.id, params.image_id, settings),
  })
