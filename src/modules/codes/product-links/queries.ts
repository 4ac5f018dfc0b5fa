import { columnsExcept, compiled, type Db, insertRows, type Row, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

const COLUMNS = columnsExcept('product_links', 'org_id', 'product_id')
export type ProductLinkRow = Row<'product_links', typeof COLUMNS>

/** Reads all links, in the order of the list: a product has at most 100. */
export const selectProductLinks = compiled((db: Db, orgId: OrgId, productId: string) =>
  db
    .selectFrom('product_links')
    .select(COLUMNS)
    .where('org_id', '=', orgId)
    .where('product_id', '=', productId)
    .orderBy('sort_order'),
)

export const deleteProductLinks = async (tx: Tx, orgId: OrgId, productId: string): Promise<void> => {
  await tx.deleteFrom('product_links').where('org_id', '=', orgId).where('product_id', '=', productId).execute()
}

export const insertProductLinks = async (
  tx: Tx,
  orgId: OrgId,
  product_id: string,
  rows: readonly ProductLinkRow[],
): Promise<void> => {
  await insertRows(
    tx,
    'product_links',
    rows.map((row) => ({ ...row, org_id: orgId, product_id })),
  )
}
