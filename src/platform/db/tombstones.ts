import type { Timestamp } from '../clock/index.ts'
import { ApiError } from '../errors/index.ts'
import type { OrgId } from '../ids/index.ts'
import { type Db, insertRows, type Tx } from './index.ts'

export const insertTombstone = (tx: Tx, orgId: OrgId, kind: string, id: string, now: Timestamp): Promise<void> =>
  insertTombstones(tx, orgId, kind, [id], now)

export const insertTombstones = (
  tx: Tx,
  orgId: OrgId,
  kind: string,
  ids: readonly string[],
  now: Timestamp,
): Promise<void> =>
  insertRows(
    tx,
    'tombstones',
    ids.map((id) => ({ id, org_id: orgId, kind, deleted_at: now })),
  )

/** Returns the error for an id without a resource: `gone` if it was deleted, otherwise `not_found`. */
export async function notFoundOrGone(
  db: Db,
  orgId: OrgId,
  kind: string,
  id: string,
  noun = kind.replaceAll('_', ' '),
): Promise<ApiError> {
  const tombstone = await db
    .selectFrom('tombstones')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst()
  return tombstone === undefined
    ? new ApiError('not_found', `There is no ${noun} with this id in your organisation.`)
    : new ApiError('gone', `This ${noun} was deleted.`)
}
