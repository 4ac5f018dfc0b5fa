import { compiled, type Db, insertRows, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

interface ProductLinksTable {
  id: string
  org_id: string
  product_id: string
  link_type: string
  destination_type: 'chatbot' | 'page' | 'knowledge_base' | 'url'
  destination_id: string | null
  destination_url: string | null
  /** Where the link leads: an absolute URL, or a path on our own host. Slugs never change, so it stays true. */
  address: string
  title: string
  /** A language tag in its canonical form. */
  language: string | null
  /** Lower case, without parameters. */
  media_type: string | null
  /** True for at most one link of each lot and serial number, and one of the product itself. */
  is_default: boolean
  lot: string | null
  serial: string | null
  sort_order: number
  created_at: string
  updated_at: string
}

declare module '../../../platform/db/types.ts' {
  interface Tables {
    product_links: ProductLinksTable
  }
}

const COLUMNS = [
  'id',
  'link_type',
  'destination_type',
  'destination_id',
  'destination_url',
  'address',
  'title',
  'language',
  'media_type',
  'is_default',
  'lot',
  'serial',
  'sort_order',
  'created_at',
  'updated_at',
] as const
export type ProductLinkRow = Pick<ProductLinksTable, (typeof COLUMNS)[number]>

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
    [...COLUMNS, 'org_id', 'product_id'],
    rows.map((row) => ({ ...row, org_id: orgId, product_id })),
  )
}
