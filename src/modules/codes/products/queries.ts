import {
  columnsExcept,
  insertRows,
  type Row,
  searchText,
  sortKey,
  type ToFailure,
  type Tx,
  whenTaken,
} from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { type ScanCounters, targetTable } from '../target-tables/index.ts'

const COLUMNS = columnsExcept('products', 'org_id', 'name_key', 'search_text')
export type NewProduct = Row<'products', typeof COLUMNS>
export type ProductRow = NewProduct & ScanCounters

const products = targetTable<ProductRow>('products', COLUMNS)

export const selectProduct = products.selectBy('id')
export const selectProductByGtin = products.selectBy('gtin')
export const { selectAllBy: selectProductsBy, lockAllBy: lockProductsBy } = products
export const selectProducts = products.selectPage
export const countProducts = products.count
export const deleteProductRow = products.delete

const derived = ({ name, gtin, description }: NewProduct) => ({
  name_key: sortKey(name),
  search_text: searchText(name, gtin, description),
})

/** A conflict reports the GTIN as the caller sent it. */
const whenGtinTaken = (sent: string | null | undefined): ToFailure => whenTaken('products_org_gtin_key', 'gtin', sent)

export const insertProduct = async (
  tx: Tx,
  orgId: OrgId,
  row: NewProduct,
  sentGtin: string | null | undefined,
): Promise<void> => {
  const values = { ...row, ...derived(row), org_id: orgId }
  await insertRows(tx, 'products', [values], whenGtinTaken(sentGtin))
}

export const insertProducts = (tx: Tx, orgId: OrgId, rows: readonly NewProduct[]): Promise<void> =>
  insertRows(
    tx,
    'products',
    rows.map((row) => ({ ...row, ...derived(row), org_id: orgId })),
  )

export const updateProductRows = (tx: Tx, orgId: OrgId, rows: readonly ProductRow[]): Promise<void> =>
  products.updateAll(
    tx,
    orgId,
    rows.map((row) => ({ ...row, ...derived(row) })),
  )

export const updateProductRow = (
  tx: Tx,
  orgId: OrgId,
  row: ProductRow,
  sentGtin: string | null | undefined,
): Promise<void> => products.update(tx, orgId, row, derived(row), whenGtinTaken(sentGtin))
