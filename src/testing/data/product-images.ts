import { timestamp } from '../../platform/clock/index.ts'
import { newId } from '../../platform/ids/index.ts'
import { insertTestRows } from '../engines/insert-test-rows.ts'
import type { Harness, Tenant } from '../harness.ts'

/** Gives a product an image that is stored already. Through the API, it would be downloaded from another server. */
export async function insertProductImage(
  harness: Harness,
  { orgId }: Tenant,
  productId: string,
  asset: string,
): Promise<void> {
  const file = { asset, file_name: asset, media_type: 'image/gif' as const, size_bytes: 1000 }
  const image = { id: newId(), org_id: orgId, product_id: productId, ...file, sort_order: 0 }
  const created_at = timestamp(harness.nowMs())
  await harness.service.database.write((tx) => insertTestRows(tx, 'product_images', [{ ...image, created_at }]))
}
