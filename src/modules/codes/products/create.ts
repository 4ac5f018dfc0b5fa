import { ApiError } from '../../../platform/errors/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import { newId } from '../../../platform/ids/index.ts'
import { emit } from '../../../platform/outbox/index.ts'
import { requireDestinationUrl, settleState } from '../destinations/index.ts'
import type { ProductCreate, ProductCreated } from './contract.ts'
import { productEvents } from './events.ts'
import { fetchImages, isFile } from './image-downloads.ts'
import { type ImageFile, keepIfWritten, removeFiles } from './image-files.ts'
import { insertImages } from './image-queries.ts'
import { insertProduct } from './queries.ts'
import { findLinkBase, type ProductSettings, publish, toGtin14, toProduct } from './service.ts'
import { selectFitting } from './storage.ts'

/** Fetches the images first: a transaction never waits for the network. */
export async function createProduct(
  ctx: Context,
  input: ProductCreate,
  settings: ProductSettings,
): Promise<ProductCreated> {
  const gtin = toGtin14(input.gtin) ?? null
  const { image_urls: urls = [] } = input
  const outcomes = await fetchImages(ctx, urls, settings)
  for (const error of outcomes.filter((outcome) => !isFile(outcome) && !(outcome instanceof ApiError)))
    ctx.log.error({ err: error }, 'failed to store an image')
  const files = outcomes.filter(isFile)
  let kept: ImageFile[] = []
  const created = await keepIfWritten(ctx, files, settings, () =>
    ctx.write(async (tx) => {
      await requireDestinationUrl(tx, ctx.orgId, input.destination)
      kept = await selectFitting(tx, ctx.orgId, files, settings)
      const row = {
        id: newId(),
        name: input.name,
        gtin,
        description: input.description ?? null,
        ...settleState(input),
        metadata: input.metadata ?? {},
        created_at: ctx.now,
        updated_at: ctx.now,
      }
      await insertProduct(tx, ctx.orgId, row, input.gtin)
      const images = kept.map((file, sort_order) => ({
        ...file,
        product_id: row.id,
        sort_order,
        created_at: ctx.now,
      }))
      await insertImages(tx, ctx.orgId, images)
      await publish(tx, ctx.orgId, row)
      const baseUrl = await findLinkBase(tx, ctx.orgId, settings)
      const product = toProduct({ ...row, total_scans: 0, last_scanned_at: null }, baseUrl)
      await emit(tx, ctx.orgId, productEvents, 'product.created', product, ctx.now)
      if (input.image_urls === undefined) return product
      const isKept = new Set<ImageFile | Error | undefined>(kept)
      return { ...product, failed_image_urls: urls.filter((_, n) => !isKept.has(outcomes[n])) }
    }),
  )
  if (kept.length < files.length) {
    settings.metrics?.refused.inc({ limit: 'storage' })
    await removeFiles(
      ctx,
      files.filter((file) => !kept.includes(file)),
      settings.assets,
    )
  }
  return created
}
