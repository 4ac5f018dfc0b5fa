import type { Timestamp } from '../clock/index.ts'
import { ApiError } from '../errors/index.ts'
import type { OrgId } from '../ids/index.ts'
import { type Db, insertRows, type Tx } from './index.ts'

/** What was deleted for good. Its id answers 410 to its own organisation and 404 to any other. */
interface TombstonesTable {
  id: string
  org_id: string
  kind: string
  deleted_at: string
}

declare module './types.ts' {
  interface Tables {
    tombstones: TombstonesTable
  }
}

export const bury = (tx: Tx, orgId: OrgId, kind: string, id: string, now: Timestamp): Promise<void> =>
  buryAll(tx, orgId, kind, [id], now)

export const buryAll = (tx: Tx, orgId: OrgId, kind: string, ids: readonly string[], now: Timestamp): Promise<void> =>
  insertRows(
    tx,
    'tombstones',
    ids.map((id) => ({ id, org_id: orgId, kind, deleted_at: now })),
  )

/** The error for an id that names no living resource of this kind: `gone` when it once did. */
export async function missing(db: Db, orgId: OrgId, kind: string, id: string): Promise<ApiError> {
  const tombstone = await db
    .selectFrom('tombstones')
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('kind', '=', kind)
    .executeTakeFirst()
  const noun = kind.replaceAll('_', ' ')
  return tombstone === undefined
    ? new ApiError('not_found', `There is no ${noun} with this id in your organisation.`)
    : new ApiError('gone', `This ${noun} was deleted.`)
}
