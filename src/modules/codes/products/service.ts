import type { z } from 'zod'
import type { OffsetPage } from '../../../platform/contract/pagination.ts'
import { sentFields } from '../../../platform/contract/sent-fields.ts'
import { type Db, lockRow, type Tx } from '../../../platform/db/index.ts'
import { insertTombstone, notFoundOrGone } from '../../../platform/db/tombstones.ts'
import { ApiError, invalidPayload } from '../../../platform/errors/index.ts'
import { type Context, offsetPage } from '../../../platform/http/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { type Changes, changesOf, emit } from '../../../platform/outbox/index.ts'
import { getOrganisation } from '../../account/organisations/index.ts'
import { type AssetOwner, releaseAssets } from '../../assets/assets/index.ts'
import { requireDestination, settleState, toDestinationColumns, toProductDestination } from '../destinations/index.ts'
import { digitalLinkPath, normaliseGtin } from '../gs1/index.ts'
import { dropKeyValues, replaceLists } from '../key-values/index.ts'
import { productSlug, publishTarget, retireTarget, targetKey } from '../scan-targets/index.ts'
import { skipsRows, statusTotals } from '../target-tables/index.ts'
import { type Cause, type ChangedOwner, deleteOwnerVersions, type Owner, recordVersion } from '../versions/index.ts'
import type { Product, ProductUpdate, products } from './contract.ts'
import { productEvents } from './events.ts'
import type { ImageSettings } from './images/image-downloads.ts'
import { deleteImageRows, selectImages } from './images/image-queries.ts'
import {
  countProducts,
  deleteProductRow,
  type NewProduct,
  type ProductRow,
  selectProduct,
  selectProductByGtin,
  selectProducts,
  updateProductRow,
} from './queries.ts'

export interface ProductSettings extends ImageSettings {
  /** The address that links of the organisation begin with: its own domain, or `publicUrl`. */
  linkUrl: string
}

/** What the addresses of products begin with. */
export type LinkSettings = Pick<ProductSettings, 'publicUrl' | 'linkUrl'>

type ListQuery = z.output<typeof products.list.declared.query>

export async function listProducts(
  ctx: Context,
  query: ListQuery,
  settings: ProductSettings,
): Promise<OffsetPage<Product>> {
  const { status, search, sort } = query
  const filters = { status, search }
  const baseUrl = await findLinkBase(ctx.read, ctx.orgId, settings)
  return offsetPage(ctx, query, {
    totals: statusTotals('products', status),
    count: search ? (db) => countProducts(db, ctx.orgId, filters) : undefined,
    skipsRows: skipsRows(filters, sort),
    rows: (db, limit, offset) => selectProducts(db, ctx.orgId, filters, sort, limit, offset),
    toItem: (row) => toProduct(row, baseUrl),
  })
}

export async function getProduct(ctx: Context, id: string, settings: ProductSettings): Promise<Product> {
  const row = await requireProduct(ctx.read, ctx.orgId, id)
  return toProduct(row, await findLinkBase(ctx.read, ctx.orgId, settings))
}

export async function getProductByGtin(ctx: Context, gtin: string, settings: ProductSettings): Promise<Product> {
  const normal = normaliseGtin(gtin)
  const row = normal === undefined ? undefined : await selectProductByGtin(ctx.read, ctx.orgId, normal)
  if (row === undefined) throw new ApiError('not_found', 'There is no product with this GTIN in your organisation.')
  return toProduct(row, await findLinkBase(ctx.read, ctx.orgId, settings))
}

export function updateProduct(
  ctx: Context,
  id: string,
  input: ProductUpdate,
  settings: ProductSettings,
): Promise<Product> {
  const gtin = toGtin14(input.gtin)
  const write = ctx.write(async (tx) => {
    const row = await lockProduct(tx, ctx.orgId, id)
    const { properties, url_params } = input
    const destination = await requireDestination(tx, ctx.orgId, input)
    const after = withInput(row, { ...input, ...destination, gtin })
    const lists = await replaceLists(tx, ctx, row.id, { properties, url_params })
    const baseUrl = await findLinkBase(tx, ctx.orgId, settings)
    const product = toProduct(row, baseUrl)
    const changes = changesOf({ ...product, ...lists.before }, { ...toProduct(after, baseUrl), ...lists.after })
    if (changes === undefined) return product
    if (row.gtin !== null && row.gtin !== after.gtin) await retire(tx, ctx.orgId, row.gtin)
    return changeProduct(tx, ctx, { before: row, after }, changes, settings, { sentGtin: input.gtin })
  })
  return nameHolder(ctx, gtin, write)
}

/** The row after a request. */
export function withInput(row: ProductRow, input: ProductUpdate): ProductRow {
  const { destination: _, properties: __, url_params: ___, ...fields } = input
  return { ...row, ...sentFields(fields), ...settleState(input, row) }
}

/** Adds the product that has a GTIN to the error that it is taken. */
export async function nameHolder<T>(ctx: Context, gtin: string | null | undefined, write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    if (gtin == null || !(error instanceof ApiError) || error.code !== 'conflict') throw error
    const holder = await selectProductByGtin(ctx.read, ctx.orgId, gtin)
    if (holder === undefined) throw error
    throw new ApiError('conflict', error.message, { details: { ...error.details, id: holder.id } })
  }
}

export async function deleteProduct(ctx: Context, id: string): Promise<void> {
  await ctx.write(async (tx) => {
    const { gtin, name, status } = await lockProduct(tx, ctx.orgId, id)
    const images = await selectImages(tx, ctx.orgId, id)
    await deleteImageRows(tx, ctx.orgId, id)
    const names = new Set(images.map(({ asset }) => asset))
    await releaseAssets(tx, ctx.orgId, assetOwner(id), [...names], ctx.now)
    await dropKeyValues(tx, ctx.orgId, id)
    await deleteOwnerVersions(tx, ctx.orgId, id)
    await deleteProductRow(tx, ctx.orgId, id)
    await insertTombstone(tx, ctx.orgId, 'product', id, ctx.now)
    if (gtin !== null) await retire(tx, ctx.orgId, gtin)
    const deleted = { object: 'product', id, deleted: true as const, deleted_at: ctx.now }
    await emit(tx, ctx.orgId, productEvents, 'product.deleted', deleted, ctx.now, { gtin, name, status })
  })
}

export const assetOwner = (id: string): AssetOwner => ({ kind: 'product', id })

export const productOwner = (settings: ProductSettings): Owner<ProductRow> => ({
  kind: 'product',
  require: requireProduct,
  lock: lockProduct,
  toSource: (row) => row,
  withState: (row, { destination, group_id: _, object_id: __, ...state }) => ({
    ...row,
    ...toDestinationColumns(destination),
    ...state,
  }),
  // Nothing of it depends on the address, which never changes with it.
  toResource: (row) => toProduct(row, settings.linkUrl),
  store: (tx, ctx, row) => storeProduct(tx, ctx, row),
  change: (tx, ctx, changed, changes, cause) => changeProduct(tx, ctx, changed, changes, settings, { cause }),
})

export async function requireProduct(db: Db, orgId: OrgId, id: string): Promise<ProductRow> {
  const row = await selectProduct(db, orgId, id)
  if (row === undefined) throw await notFoundOrGone(db, orgId, 'product', id)
  return row
}

export async function lockProduct(tx: Tx, orgId: OrgId, id: string): Promise<ProductRow> {
  await lockRow(tx, orgId, 'products', id)
  return requireProduct(tx, orgId, id)
}

async function storeProduct(tx: Tx, { orgId }: Context, row: ProductRow, sentGtin?: string | null): Promise<void> {
  await updateProductRow(tx, orgId, row, sentGtin)
  await publish(tx, orgId, row)
}

export async function changeProduct(
  tx: Tx,
  ctx: Context,
  { before, after }: ChangedOwner<ProductRow>,
  changes: Changes,
  settings: ProductSettings,
  { sentGtin, cause }: { sentGtin?: string | null | undefined; cause?: Cause | undefined } = {},
): Promise<Product> {
  const row = await recordVersion(tx, ctx, 'product', { before, after: { ...after, updated_at: ctx.now } }, cause)
  await storeProduct(tx, ctx, row, sentGtin)
  const product = toProduct(row, await findLinkBase(tx, ctx.orgId, settings))
  await emit(tx, ctx.orgId, productEvents, 'product.updated', { ...product, changes }, ctx.now)
  return product
}

/** The stored form of a GTIN. Null clears it; undefined, when it was not sent, keeps it. */
export function toGtin14(sent: string | null | undefined): string | null | undefined {
  if (sent == null) return sent
  const gtin = normaliseGtin(sent)
  if (gtin === undefined) throw invalidPayload({ gtin: ['Must end with the correct check digit'] })
  return gtin
}

export const gtinTargetKey = (orgId: OrgId, gtin: string): string => targetKey('product', productSlug(orgId, gtin))

const retire = (tx: Tx, orgId: OrgId, gtin: string): Promise<void> =>
  retireTarget(tx, orgId, gtinTargetKey(orgId, gtin))

/** A product without a GTIN has no URL, so it cannot be scanned. */
export async function publish(tx: Tx, orgId: OrgId, row: NewProduct): Promise<void> {
  if (row.gtin !== null) await publishTarget(tx, orgId, gtinTargetKey(orgId, row.gtin), row)
}

/** The base URL of the Digital Links of the organisation's products. On our own host, it has to name the organisation. */
export async function findLinkBase(db: Db, orgId: OrgId, { publicUrl, linkUrl }: LinkSettings): Promise<string> {
  return linkUrl === publicUrl ? `${publicUrl}/g/${(await getOrganisation(db, orgId)).slug}` : linkUrl
}

export function toProduct(row: ProductRow, baseUrl: string): Product {
  const { id, name, gtin, description, status, metadata, total_scans, last_scanned_at, created_at, updated_at } = row
  return {
    object: 'product',
    id,
    name,
    gtin,
    description,
    status,
    destination: toProductDestination(row),
    destination_article_id: row.destination_article_id,
    has_rules: row.rules_version !== null,
    metadata,
    url: gtin === null ? null : baseUrl + digitalLinkPath(gtin),
    total_scans,
    last_scanned_at,
    created_at,
    updated_at,
  }
}
