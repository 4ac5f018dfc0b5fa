import { type Db, lockRow, type Tx } from '../../../platform/db/index.ts'
import { notFoundOrGone } from '../../../platform/db/tombstones.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import { type EndpointRow, selectEndpoint } from './queries.ts'

/**
 * Returns the endpoint if the caller may see it. A caller with an OAuth grant sees only endpoints created under that
 * grant and gets 404 for all others, deleted ones included, so that it cannot find out whether they ever existed.
 */
export async function requireEndpoint(db: Db, { orgId, credential }: Context, id: string): Promise<EndpointRow> {
  const row = await selectEndpoint(db, orgId, id)
  const { grantId } = credential
  if (row !== undefined && (grantId === null || row.grant_id === grantId)) return row
  if (grantId === null) throw await notFoundOrGone(db, orgId, 'webhook_endpoint', id)
  throw new ApiError('not_found', 'No webhook endpoint with this ID was created under this authorisation.')
}

export async function lockEndpoint(tx: Tx, ctx: Context, id: string): Promise<EndpointRow> {
  await lockRow(tx, ctx.orgId, 'webhook_endpoints', id)
  return requireEndpoint(tx, ctx, id)
}
