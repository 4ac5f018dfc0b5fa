import { ApiError } from '../../../platform/errors/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import { newId } from '../../../platform/ids/index.ts'
import { emit } from '../../../platform/outbox/index.ts'
import { addAssetReferences, claimAssets, type NewFile } from '../../assets/assets/index.ts'
import { requireDestination, settleState } from '../destinations/index.ts'
import { replaceLists } from '../key-values/index.ts'
import { FIRST_VERSION } from '../versions/index.ts'
import type { ProductCreate, ProductCreated } from './contract.ts'
import { productEvents } from './events.ts'
import { fetchImages, isFile } from './images/image-downloads.ts'
import { keepIfWritten } from './images/image-files.ts'
import { insertImages } from './images/image-queries.ts'
import { toImageRow } from './images/images.ts'
import { insertProduct } from './queries.ts'
import { assetOwner, findLinkBase, nameHolder, type ProductSettings, publish, toGtin14, toProduct } from './service.ts'

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
  return keepIfWritten(ctx, files, settings, async (held) => {
    const kept = files.flatMap((file, n) => (held[n] === undefined ? [] : [{ file, asset: held[n] }]))
    const assets = kept.map(({ asset }) => asset)
    if (kept.length < files.length) settings.metrics?.refused.inc({ limit: 'storage' })
    const write = ctx.write(async (tx) => {
      const destination = await requireDestination(tx, ctx.orgId, input)
      await claimAssets(tx, ctx.orgId, assets, ctx.now)
      const row = {
        id: newId(),
        name: input.name,
        gtin,
        description: input.description ?? null,
        ...settleState({ ...input, ...destination }),
        metadata: input.metadata ?? {},
        ...FIRST_VERSION,
        created_at: ctx.now,
        updated_at: ctx.now,
      }
      await insertProduct(tx, ctx.orgId, row, input.gtin)
      const images = kept.map(({ file, asset }, n) => toImageRow(asset, file, row.id, n, ctx.now))
      await insertImages(tx, ctx.orgId, images)
      if (assets.length > 0) {
        const ids = assets.map(({ id }) => id)
        await addAssetReferences(tx, ctx.orgId, assetOwner(row.id), ids)
      }
      await replaceLists(tx, ctx, row.id, input)
      await publish(tx, ctx.orgId, row)
      const baseUrl = await findLinkBase(tx, ctx.orgId, settings)
      const product = toProduct({ ...row, total_scans: 0, last_scanned_at: null }, baseUrl)
      await emit(tx, ctx.orgId, productEvents, 'product.created', product, ctx.now)
      if (input.image_urls === undefined) return product
      const isKept = new Set<NewFile | Error | undefined>(kept.map(({ file }) => file))
      return { ...product, failed_image_urls: urls.filter((_, n) => !isKept.has(outcomes[n])) }
    })
    return nameHolder(ctx, gtin, write)
  })
}
