import type { z } from 'zod'
import type { FileAnswer } from '../../../platform/contract/index.ts'
import type { OffsetPage } from '../../../platform/contract/pagination.ts'
import { type Db, lockRow, type Tx, totalOf } from '../../../platform/db/index.ts'
import { bury, missing } from '../../../platform/db/tombstones.ts'
import { ApiError, invalidPayload } from '../../../platform/errors/index.ts'
import { type Context, offsetPage } from '../../../platform/http/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { changesOf, emit } from '../../../platform/outbox/index.ts'
import { getOrganisation } from '../../account/organisations/index.ts'
import {
  requireDestinationUrl,
  settleStatus,
  toDestinationColumns,
  toDestinationRef,
  toProductDestination,
} from '../destinations/index.ts'
import { digitalLinkPath, normaliseGtin } from '../gs1/index.ts'
import { dropKeyValues, type Owner } from '../key-values/index.ts'
import { toPicture } from '../pictures/index.ts'
import { productSlug, publishTarget, retireTarget, targetKey } from '../scan-targets/index.ts'
import type { Product, ProductUpdate, products } from './contract.ts'
import { productEvents } from './events.ts'
import { type ImageSettings, removeFiles } from './image-files.ts'
import { deleteImageRows, selectImages } from './image-queries.ts'
import {
  countProducts,
  deleteProductRow,
  type ProductRow,
  selectProduct,
  selectProductByGtin,
  selectProducts,
  updateProductRow,
} from './queries.ts'

export interface ProductSettings extends ImageSettings {
  /** Where scanned codes lead to, and where files are: both addresses begin with it. */
  publicUrl: string
}

type ListQuery = z.output<typeof products.list.declared.query>
type PictureQuery = z.output<typeof products.getImage.declared.query>

const LISTED = ['unconfigured', 'active', 'inactive']

export async function listProducts(
  ctx: Context,
  query: ListQuery,
  settings: ProductSettings,
): Promise<OffsetPage<Product>> {
  const { status, search, sort } = query
  const filters = { status, search }
  const links = await findLinks(ctx.read, ctx.orgId, settings)
  return offsetPage(ctx, query, {
    totals: (status === undefined ? LISTED : [status]).map((value) => totalOf('products', 'status', value)),
    count: search ? (db) => countProducts(db, ctx.orgId, filters) : undefined,
    rows: (db, limit, offset) => selectProducts(db, ctx.orgId, filters, sort, limit, offset),
    toItem: (row) => toProduct(row, links),
  })
}

export async function getProduct(ctx: Context, id: string, settings: ProductSettings): Promise<Product> {
  const row = await requireProduct(ctx.read, ctx.orgId, id)
  return toProduct(row, await findLinks(ctx.read, ctx.orgId, settings))
}

export async function getProductByGtin(ctx: Context, gtin: string, settings: ProductSettings): Promise<Product> {
  const normal = normaliseGtin(gtin)
  const row = normal === undefined ? undefined : await selectProductByGtin(ctx.read, ctx.orgId, normal)
  if (row === undefined) throw new ApiError('not_found', 'There is no product with this GTIN in your organisation.')
  return toProduct(row, await findLinks(ctx.read, ctx.orgId, settings))
}

export function updateProduct(
  ctx: Context,
  id: string,
  input: ProductUpdate,
  settings: ProductSettings,
): Promise<Product> {
  const gtin = toGtin14(input.gtin)
  return ctx.write(async (tx) => {
    const row = await lockProduct(tx, ctx.orgId, id)
    const { destination: lead, status } = input
    await requireDestinationUrl(tx, ctx.orgId, lead)
    const wanted: ProductRow = {
      ...row,
      ...(input.name !== undefined && { name: input.name }),
      ...(gtin !== undefined && { gtin }),
      ...(input.description !== undefined && { description: input.description }),
      ...(input.metadata !== undefined && { metadata: input.metadata }),
      ...(lead !== undefined && toDestinationColumns(lead)),
      status: settleStatus({ status: row.status, lead: toDestinationRef(row) }, { status, lead }),
    }
    const links = await findLinks(tx, ctx.orgId, settings)
    const changes = changesOf(toProduct(row, links), toProduct(wanted, links))
    if (changes === undefined) return toProduct(row, links)
    if (row.gtin !== null && row.gtin !== wanted.gtin) await retire(tx, ctx.orgId, row.gtin)
    return changeProduct(tx, ctx, wanted, changes, settings, input.gtin)
  })
}

export async function deleteProduct(ctx: Context, id: string, { assets }: ProductSettings): Promise<void> {
  const images = await ctx.write(async (tx) => {
    const { gtin } = await lockProduct(tx, ctx.orgId, id)
    const images = await selectImages(tx, ctx.orgId, id)
    await deleteImageRows(tx, ctx.orgId, id)
    await dropKeyValues(tx, ctx.orgId, id)
    await deleteProductRow(tx, ctx.orgId, id)
    await bury(tx, ctx.orgId, 'product', id, ctx.now)
    if (gtin !== null) await retire(tx, ctx.orgId, gtin)
    const deleted = { object: 'product', id, deleted: true as const, deleted_at: ctx.now }
    await emit(tx, ctx.orgId, productEvents, 'product.deleted', deleted, ctx.now)
    return images
  })
  await removeFiles(ctx, images, assets)
}

export async function drawProductPicture(
  ctx: Context,
  id: string,
  query: PictureQuery,
  accept: string | undefined,
  settings: ProductSettings,
): Promise<FileAnswer> {
  const { gtin, url } = await getProduct(ctx, id, settings)
  if (url === null)
    throw new ApiError('unprocessable', 'Give the product a gtin first.', { details: { field: 'gtin' } })
  return toPicture(url, { product_id: id, gtin }, query, accept)
}

/** Its lists change it, too. */
export const productOwner = (settings: ProductSettings): Owner => ({
  propertyObject: 'product_property',
  require: async (db, orgId, id) => (await requireProduct(db, orgId, id)).id,
  lock: async (tx, orgId, id) => (await lockProduct(tx, orgId, id)).id,
  changed: async (tx, ctx, id, changes) => {
    await changeProduct(tx, ctx, await requireProduct(tx, ctx.orgId, id), changes, settings)
  },
})

export async function requireProduct(db: Db, orgId: OrgId, id: string): Promise<ProductRow> {
  const row = await selectProduct(db, orgId, id)
  if (row === undefined) throw await missing(db, orgId, 'product', id)
  return row
}

export async function lockProduct(tx: Tx, orgId: OrgId, id: string): Promise<ProductRow> {
  await lockRow(tx, orgId, 'products', id)
  return requireProduct(tx, orgId, id)
}

export async function changeProduct(
  tx: Tx,
  ctx: Context,
  wanted: ProductRow,
  changes: NonNullable<ReturnType<typeof changesOf>>,
  settings: ProductSettings,
  sentGtin?: string | null,
): Promise<Product> {
  const row = { ...wanted, updated_at: ctx.now }
  await updateProductRow(tx, ctx.orgId, row, sentGtin)
  await publish(tx, ctx.orgId, row)
  const product = toProduct(row, await findLinks(tx, ctx.orgId, settings))
  await emit(tx, ctx.orgId, productEvents, 'product.updated', { ...product, changes }, ctx.now)
  return product
}

/** A number as it is kept. Null clears it, and what is not sent stays as it is. */
export function toGtin14(sent: string | null | undefined): string | null | undefined {
  if (sent == null) return sent
  const gtin = normaliseGtin(sent)
  if (gtin === undefined) throw invalidPayload({ gtin: ['Must end with its right check digit'] })
  return gtin
}

const keyOf = (orgId: OrgId, gtin: string): string => targetKey('product', productSlug(orgId, gtin))

const retire = (tx: Tx, orgId: OrgId, gtin: string): Promise<void> => retireTarget(tx, orgId, keyOf(orgId, gtin))

/** Without a number there is nothing to scan. */
export async function publish(tx: Tx, orgId: OrgId, row: Omit<ProductRow, 'total_scans' | 'last_scanned_at'>) {
  if (row.gtin !== null) await publishTarget(tx, orgId, keyOf(orgId, row.gtin), row)
}

/** What the Digital Links of all the organisation's products begin with. */
export async function findLinks(db: Db, orgId: OrgId, { publicUrl }: ProductSettings): Promise<string> {
  return `${publicUrl}/g/${(await getOrganisation(db, orgId)).slug}`
}

export function toProduct(row: ProductRow, links: string): Product {
  const { id, name, gtin, description, status, metadata, total_scans, last_scanned_at, created_at, updated_at } = row
  return {
    object: 'product',
    id,
    name,
    gtin,
    description,
    status,
    destination: toProductDestination(row),
    metadata,
    url: gtin === null ? null : links + digitalLinkPath(gtin),
    total_scans,
    last_scanned_at,
    created_at,
    updated_at,
  }
}
