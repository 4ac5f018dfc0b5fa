import type { Position } from '../../../platform/contract/pagination.ts'
import { type Db, olderThan } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

const COLUMNS = [
  'id',
  'actor_kind',
  'actor_id',
  'actor_name',
  'action',
  'resource_type',
  'resource_id',
  'resource_ids',
  'changes',
  'address',
  'user_agent',
  'created_at',
] as const

export interface Filters {
  actor: string | undefined
  action: string | undefined
  resource: string | undefined
  from: string | undefined
  to: string | undefined
}

/** Newest first. */
export const selectEntries = (
  db: Db,
  orgId: OrgId,
  { actor, action, resource, from, to }: Filters,
  after: Position | undefined,
  limit: number,
) =>
  db
    .selectFrom('audit_log')
    .select(COLUMNS)
    .where('org_id', '=', orgId)
    .$if(actor !== undefined, (query) => query.where('actor_id', '=', actor as string))
    .$if(resource !== undefined, (query) => query.where('resource_id', '=', resource as string))
    .$if(action !== undefined, (query) => query.where('action', '=', action as string))
    .$if(from !== undefined, (query) => query.where('created_at', '>=', from as string))
    .$if(to !== undefined, (query) => query.where('created_at', '<', to as string))
    .$if(after !== undefined, (query) => query.where(olderThan(after as Position)))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

export type EntryRow = Awaited<ReturnType<typeof selectEntries>>[number]
