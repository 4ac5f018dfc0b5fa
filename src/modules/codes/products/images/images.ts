import type { OffsetPage, OffsetQuery } from '../../../../platform/contract/pagination.ts'
import type { Tx } from '../../../../platform/db/index.ts'
import { insertTombstone, notFoundOrGone } from '../../../../platform/db/tombstones.ts'
import { ApiError } from '../../../../platform/errors/index.ts'
import { type Context, pageOf } from '../../../../platform/http/index.ts'
import { newId } from '../../../../platform/ids/index.ts'
import {
  addAssetReferences,
  claimAssets,
  getStorageError,
  type HeldAsset,
  type NewFile,
  releaseAssets,
} from '../../../assets/assets/index.ts'
import type { ProductImage, ProductImageCreate } from '../contract.ts'
import type { ProductRow } from '../queries.ts'
import { assetOwner, changeProduct, lockProduct, type ProductSettings, requireProduct } from '../service.ts'
import { fetchImages } from './image-downloads.ts'
import { keepIfWritten } from './image-files.ts'
import { deleteImageRows, insertImages, type ProductImageRow, selectImages } from './image-queries.ts'

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

export async function createImage(
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
  return keepIfWritten(ctx, [file], settings, async ([held]) => {
    if (held === undefined) throw await getStorageError(ctx.read, ctx.orgId, settings, 'url')
    return ctx.write(async (tx) => {
      const product = await lockProduct(tx, ctx.orgId, productId)
      const before = await selectImages(tx, ctx.orgId, productId)
      requireRoom(before)
      await claimAssets(tx, ctx.orgId, [held], ctx.now)
      const last = before.at(-1)?.sort_order ?? -1
      const image = toImageRow(held, file, productId, sort_order ?? last + 1, ctx.now)
      await insertImages(tx, ctx.orgId, [image])
      await addAssetReferences(tx, ctx.orgId, assetOwner(productId), [held.id])
      await announceChange(tx, ctx, product, before, settings)
      return toProductImage(image, settings)
    })
  })
}

export async function deleteImage(
  ctx: Context,
  productId: string,
  imageId: string,
  settings: ProductSettings,
): Promise<void> {
  await ctx.write(async (tx) => {
    const product = await lockProduct(tx, ctx.orgId, productId)
    const before = await selectImages(tx, ctx.orgId, productId)
    const image = before.find(({ id }) => id === imageId)
    if (image === undefined) throw await notFoundOrGone(tx, ctx.orgId, 'product_image', imageId)
    await deleteImageRows(tx, ctx.orgId, productId, imageId)
    await insertTombstone(tx, ctx.orgId, 'product_image', imageId, ctx.now)
    // Another image of the product may have the same content.
    const isShared = before.some(({ id, asset }) => id !== imageId && asset === image.asset)
    if (!isShared) await releaseAssets(tx, ctx.orgId, assetOwner(productId), [image.asset], ctx.now)
    await announceChange(tx, ctx, product, before, settings)
  })
}

/** The name to display is that of this download. The same content may have been stored under another one. */
export const toImageRow = (
  held: HeldAsset,
  { fileName }: NewFile,
  product_id: string,
  sort_order: number,
  created_at: string,
): ProductImageRow => ({
  id: newId(),
  product_id,
  asset: held.name,
  file_name: fileName,
  media_type: held.media_type as ProductImageRow['media_type'],
  size_bytes: held.size_bytes,
  sort_order,
  created_at,
})

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
  const changes = { images: { from: toIds(before), to: toIds(after) } }
  await changeProduct(tx, ctx, { before: product, after: product }, changes, settings)
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
