import type { RefusedItem } from '../../../platform/contract/operation.ts'
import type { Tx } from '../../../platform/db/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import { type Changed, changeById, createOrChangeBatch, type Kind } from '../create-or-change/index.ts'
import { settleState } from '../destinations/index.ts'
import { FIRST_VERSION } from '../versions/index.ts'
import type { Product, ProductBatch, ProductItem } from './contract.ts'
import { productEvents } from './events.ts'
import { insertProducts, lockProductsBy, type ProductRow, selectProductsBy, updateProductRows } from './queries.ts'
import {
  findLinkBase,
  gtinTargetKey,
  type LinkSettings,
  type ProductSettings,
  toGtin14,
  toProduct,
  withInput,
} from './service.ts'

/** Creates products, or changes those that already have these GTINs. */
export async function createProducts(
  ctx: Context,
  batch: ProductBatch,
  refused: readonly RefusedItem[],
  settings: ProductSettings,
) {
  const baseUrl = await findLinkBase(ctx.read, ctx.orgId, settings)
  return createOrChangeBatch(ctx, productKind(baseUrl), batch, refused)
}

/** Changes products that exist, with the same effects as a PATCH of each. */
export const changeProducts = async (
  tx: Tx,
  ctx: Context,
  ids: readonly string[],
  decide: (row: ProductRow) => Partial<ProductItem> | undefined,
  settings: LinkSettings,
): Promise<Map<string, Changed<ProductRow>>> =>
  changeById(tx, ctx, productKind(await findLinkBase(tx, ctx.orgId, settings)), ids, decide)

const productKind = (baseUrl: string): Kind<ProductItem, ProductRow, Product> & { keyField: 'gtin' } => ({
  object: 'product',
  events: productEvents,
  keyField: 'gtin',
  uniqueIndexes: ['products_org_gtin_key'],
  rows: { selectAllBy: selectProductsBy, lockAllBy: lockProductsBy },
  normalise: (input) => ({ ...input, gtin: toGtin14(input.gtin) as string }),
  toNewRow: (input, id, now) => ({
    id,
    name: input.name,
    gtin: input.gtin,
    description: input.description ?? null,
    ...settleState(input),
    metadata: input.metadata ?? {},
    ...FIRST_VERSION,
    created_at: now,
    updated_at: now,
    total_scans: 0,
    last_scanned_at: null,
  }),
  change: withInput,
  toResource: (row) => toProduct(row, baseUrl),
  toSource: (row) => row,
  check: async () => new Map(),
  /** The address of a product is made of its GTIN. */
  claim: async (_tx, _orgId, drafts) => drafts.map(({ row }) => row),
  insert: insertProducts,
  update: updateProductRows,
  claimedKeys: () => [],
  otherKeys: (orgId, { gtin }) => (gtin === null ? [] : [gtinTargetKey(orgId, gtin)]),
})
