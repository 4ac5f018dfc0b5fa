import { sql } from 'kysely'
import {
  compiled,
  containsFolded,
  type Db,
  searchText,
  sortKey,
  type Tx,
  unlessTaken,
} from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

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

declare module '../../../platform/db/types.ts' {
  interface Tables {
    products: ProductsTable
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

/** The same, from the counters to the products: SQLite reads a cross join in the order in which it is written. */
const fromTotals = (db: Db, orgId: OrgId) =>
  db
    .selectFrom('scan_totals')
    .crossJoin('products')
    .select(COLUMNS)
    .whereRef('products.id', '=', 'scan_totals.target_id')
    .where('scan_totals.org_id', '=', orgId)
    .where('kind', '=', 'product')
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

type Products = ReturnType<typeof from>

/** Whatever the status is. */
const matching = (products: Products, { search }: ProductFilters): Products =>
  products.$if(Boolean(search), (query) => query.where(containsFolded('search_text', search ?? '')))

const filtered = (db: Db, orgId: OrgId, filters: ProductFilters): Products => {
  const { status } = filters
  const products = matching(from(db, orgId), filters)
  return status === undefined ? products.where(LISTED) : products.where('status', '=', status)
}

/** The counters know themselves whether their product is archived. */
const mostScanned = (db: Db, orgId: OrgId, filters: ProductFilters): Products => {
  const { status } = filters
  const products = matching(fromTotals(db, orgId), filters).where('archived', '=', status === 'archived')
  const sorted = products.orderBy('total_scans', 'desc').orderBy('scan_totals.target_id', 'desc')
  return status === undefined || status === 'archived' ? sorted : sorted.where('status', '=', status)
}

export const selectProducts = (
  db: Db,
  orgId: OrgId,
  filters: ProductFilters,
  sort: 'recent' | 'name' | 'scans',
  limit: number,
  offset: number,
): Promise<ProductRow[]> => {
  const products =
    sort === 'scans'
      ? mostScanned(db, orgId, filters)
      : sort === 'name'
        ? filtered(db, orgId, filters).orderBy('name_key').orderBy('products.id')
        : filtered(db, orgId, filters).orderBy('products.created_at', 'desc').orderBy('products.id', 'desc')
  return products.limit(limit).offset(offset).execute()
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
