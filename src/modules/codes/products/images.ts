import type { OffsetPage, OffsetQuery } from '../../../platform/contract/pagination.ts'
import type { Tx } from '../../../platform/db/index.ts'
import { insertTombstone, notFoundOrGone } from '../../../platform/db/tombstones.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import { type Context, pageOf } from '../../../platform/http/index.ts'
import type { ProductImage, ProductImageCreate } from './contract.ts'
import { fetchImages } from './image-downloads.ts'
import { keepIfWritten, removeFiles } from './image-files.ts'
import { deleteImageRows, insertImages, type ProductImageRow, selectImages } from './image-queries.ts'
import type { ProductRow } from './queries.ts'
import { changeProduct, lockProduct, type ProductSettings, requireProduct } from './service.ts'
import { requireStorage } from './storage.ts'

const IMAGES_MAX = 100

export async function listImages(
  ctx: Context,
  productId: string,
  query: OffsetQuery,
  settings: ProductSettings,
): Promise<OffsetPage<ProductImage>> {
  await requireProduct(ctx.read, ctx.orgId, productId)
  const rows = await selectImages(ctx.read, ctx.orgId, productId)
  return pageOf(rows, query, (row) => toProductImage(row, settings))
}

export async function addImage(
  ctx: Context,
  productId: string,
  { url, sort_order }: ProductImageCreate,
  settings: ProductSettings,
): Promise<ProductImage> {
  // Avoids a useless fetch. The transaction checks both again.
  await requireProduct(ctx.read, ctx.orgId, productId)
  requireRoom(await selectImages(ctx.read, ctx.orgId, productId))
  const [file] = await fetchImages(ctx, [url], settings)
  if (file === undefined || file instanceof Error) throw file
  return keepIfWritten(ctx, [file], settings, () =>
    ctx.write(async (tx) => {
      const product = await lockProduct(tx, ctx.orgId, productId)
      const before = await selectImages(tx, ctx.orgId, productId)
      requireRoom(before)
      await requireStorage(tx, ctx.orgId, file.size_bytes, settings)
      const last = before.at(-1)?.sort_order ?? -1
      const image = { ...file, product_id: productId, sort_order: sort_order ?? last + 1, created_at: ctx.now }
      await insertImages(tx, ctx.orgId, [image])
      await announceChange(tx, ctx, product, before, settings)
      return toProductImage(image, settings)
    }),
  )
}

export async function deleteImage(
  ctx: Context,
  productId: string,
  imageId: string,
  settings: ProductSettings,
): Promise<void> {
  const image = await ctx.write(async (tx) => {
    const product = await lockProduct(tx, ctx.orgId, productId)
    const before = await selectImages(tx, ctx.orgId, productId)
    const image = before.find(({ id }) => id === imageId)
    if (image === undefined) throw await notFoundOrGone(tx, ctx.orgId, 'product_image', imageId)
    await deleteImageRows(tx, ctx.orgId, productId, imageId)
    await insertTombstone(tx, ctx.orgId, 'product_image', imageId, ctx.now)
    await announceChange(tx, ctx, product, before, settings)
    return image
  })
  await removeFiles(ctx, [image], settings.assets)
}

function requireRoom(images: readonly unknown[]): void {
  if (images.length >= IMAGES_MAX)
    throw new ApiError('unprocessable', `A product has at most ${IMAGES_MAX} images. Delete one first.`)
}

/** Emits `product.updated` with the ordered image ids in `changes.images`. */
async function announceChange(
  tx: Tx,
  ctx: Context,
  product: ProductRow,
  before: readonly ProductImageRow[],
  settings: ProductSettings,
): Promise<void> {
  const toIds = (rows: readonly ProductImageRow[]) => rows.map(({ id }) => id)
  const after = await selectImages(tx, ctx.orgId, product.id)
  await changeProduct(tx, ctx, product, { images: { from: toIds(before), to: toIds(after) } }, settings)
}

function toProductImage(row: ProductImageRow, { publicUrl }: ProductSettings): ProductImage {
  const { id, product_id, asset, file_name, media_type, size_bytes, sort_order, created_at } = row
  return {
    object: 'product_image',
    id,
    product_id,
    file_url: `${publicUrl}/assets/${asset}`,
    file_name,
    media_type,
    size_bytes,
    sort_order,
    created_at,
  }
}
