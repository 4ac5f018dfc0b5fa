import { compiled, type Db, insertRows, type Tx } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'

interface ProductImagesTable {
  id: string
  org_id: string
  product_id: string
  /** The name of the stored file. */
  asset: string
  /** The name in the URL it was fetched from. Only displayed. */
  file_name: string
  media_type: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif'
  size_bytes: number
  sort_order: number
  created_at: string
}

declare module '../../../../platform/db/types.ts' {
  interface Tables {
    product_images: ProductImagesTable
  }
}

const COLUMNS = [
  'id',
  'product_id',
  'asset',
  'file_name',
  'media_type',
  'size_bytes',
  'sort_order',
  'created_at',
] as const
export type ProductImageRow = Pick<ProductImagesTable, (typeof COLUMNS)[number]>

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
    [...COLUMNS, 'org_id'],
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
