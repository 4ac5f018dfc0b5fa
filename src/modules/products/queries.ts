import { sql } from 'kysely'
import {
  compiled,
  containsFolded,
  type Db,
  insertRows,
  searchText,
  sortKey,
  type Tx,
  unlessTaken,
} from '../../platform/db/index.ts'
import type { OrgId } from '../../platform/ids.ts'

interface ProductsTable {
  id: string
  org_id: string
  name_key: string
  search_text: string
  destination_type: string | null
  destination_id: string | null
  destination_url: string | null
  created_at: string
  updated_at: string
  name: string
  /** Always fourteen digits. */
  gtin: string | null
  description: string | null
  status: 'unconfigured' | 'active' | 'inactive' | 'archived'
  metadata: Record<string, unknown>
}

interface ProductImagesTable {
  id: string
  org_id: string
  product_id: string
  /** The file's name among the assets. */
  asset: string
  /** What people call it. */
  file_name: string
  media_type: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif'
  size_bytes: number
  sort_order: number
  created_at: string
}

declare module '../../platform/db/types.ts' {
  interface Tables {
    products: ProductsTable
    product_images: ProductImagesTable
  }
}

const OWN = [
  'id',
  'name',
  'gtin',
  'description',
  'status',
  'destination_type',
  'destination_id',
  'destination_url',
  'metadata',
  'created_at',
  'updated_at',
] as const
/** What the product itself has, without its counters. */
export type NewProduct = Pick<ProductsTable, (typeof OWN)[number]>

const COLUMNS = [...OWN.map((name) => `products.${name}` as const), 'total_scans', 'last_scanned_at'] as const
export type ProductRow = NewProduct & { total_scans: number; last_scanned_at: string | null }

const from = (db: Db, orgId: OrgId) =>
  db
    .selectFrom('products')
    .innerJoin('scan_totals', 'scan_totals.target_id', 'products.id')
    .select(COLUMNS)
    .where('products.org_id', '=', orgId)

const byId = compiled((db: Db, orgId: OrgId, id: string) => from(db, orgId).where('products.id', '=', id))
const byGtin = compiled((db: Db, orgId: OrgId, gtin: string) => from(db, orgId).where('gtin', '=', gtin))

export const selectProduct = async (db: Db, orgId: OrgId, id: string): Promise<ProductRow | undefined> =>
  (await byId(db, orgId, id))[0]

export const selectProductByGtin = async (db: Db, orgId: OrgId, gtin: string): Promise<ProductRow | undefined> =>
  (await byGtin(db, orgId, gtin))[0]

export interface ProductFilters {
  status?: ProductsTable['status'] | undefined
  search?: string | undefined
}

/** Written out, not as a value: an index that holds only these rows is used only when the text says the same. */
const LISTED = sql<boolean>`"products"."status" <> 'archived'`

const filtered = (db: Db, orgId: OrgId, { status, search }: ProductFilters) =>
  from(db, orgId)
    .$if(status === undefined, (query) => query.where(LISTED))
    .$if(status !== undefined, (query) => query.where('status', '=', status as ProductsTable['status']))
    .$if(Boolean(search), (query) => query.where(containsFolded('search_text', search ?? '')))

export const selectProducts = (
  db: Db,
  orgId: OrgId,
  filters: ProductFilters,
  sort: 'recent' | 'name' | 'scans',
  limit: number,
  offset: number,
): Promise<ProductRow[]> => {
  const products = filtered(db, orgId, filters).limit(limit).offset(offset)
  if (sort === 'name') return products.orderBy('name_key').orderBy('products.id').execute()
  if (sort === 'recent') return products.orderBy('products.created_at', 'desc').orderBy('products.id', 'desc').execute()
  return products
    .where('scan_totals.org_id', '=', orgId)
    .where('kind', '=', 'product')
    .where('archived', '=', filters.status === 'archived')
    .orderBy('total_scans', 'desc')
    .orderBy('scan_totals.target_id', 'desc')
    .execute()
}

export const countProducts = async (db: Db, orgId: OrgId, filters: ProductFilters): Promise<number> => {
  const { count } = await filtered(db, orgId, filters)
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

const derived = ({ name, gtin, description }: NewProduct) => ({
  name_key: sortKey(name),
  search_text: searchText(name, gtin, description),
})

/** A conflict tells the number as the caller wrote it. */
const unlessGtinTaken = <T>(sent: string | null | undefined, write: Promise<T>): Promise<T> =>
  unlessTaken('products_org_gtin_key', 'gtin', sent, write)

export const insertProduct = async (
  tx: Tx,
  orgId: OrgId,
  row: NewProduct,
  sentGtin: string | null | undefined,
): Promise<void> => {
  const values = { ...row, ...derived(row), org_id: orgId }
  await unlessGtinTaken(sentGtin, tx.insertInto('products').values(values).execute())
}

export const updateProductRow = async (
  tx: Tx,
  orgId: OrgId,
  row: ProductRow,
  sentGtin: string | null | undefined,
): Promise<void> => {
  const { id, created_at: _, total_scans: __, last_scanned_at: ___, ...values } = row
  await unlessGtinTaken(
    sentGtin,
    tx
      .updateTable('products')
      .set({ ...values, ...derived(row) })
      .where('org_id', '=', orgId)
      .where('id', '=', id)
      .execute(),
  )
}

export const deleteProductRow = async (tx: Tx, orgId: OrgId, id: string): Promise<void> => {
  await tx.deleteFrom('products').where('org_id', '=', orgId).where('id', '=', id).execute()
}

const IMAGE_COLUMNS = [
  'id',
  'product_id',
  'asset',
  'file_name',
  'media_type',
  'size_bytes',
  'sort_order',
  'created_at',
] as const
export type ProductImageRow = Pick<ProductImagesTable, (typeof IMAGE_COLUMNS)[number]>

/** All of them: they are few by their rules. */
export const selectImages = compiled((db: Db, orgId: OrgId, productId: string) =>
  db
    .selectFrom('product_images')
    .select(IMAGE_COLUMNS)
    .where('org_id', '=', orgId)
    .where('product_id', '=', productId)
    .orderBy('sort_order')
    .orderBy('id'),
)

export const insertImages = async (tx: Tx, orgId: OrgId, rows: readonly ProductImageRow[]): Promise<void> => {
  await insertRows(
    tx,
    'product_images',
    rows.map((row) => ({ ...row, org_id: orgId })),
  )
}

export const deleteImageRows = async (tx: Tx, orgId: OrgId, productId: string, imageId?: string): Promise<void> => {
  await tx
    .deleteFrom('product_images')
    .where('org_id', '=', orgId)
    .where('product_id', '=', productId)
    .$if(imageId !== undefined, (query) => query.where('id', '=', imageId as string))
    .execute()
}
