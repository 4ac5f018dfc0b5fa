import { columnsExcept, compiled, type Db, insertRows, type Row, type Tx } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'

const COLUMNS = columnsExcept('product_images', 'org_id')
export type ProductImageRow = Row<'product_images', typeof COLUMNS>

/** Reads all images: a product has at most 100. */
export const selectImages = compiled((db: Db, orgId: OrgId, productId: string) =>
  db
    .selectFrom('product_images')
    .select(COLUMNS)
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
