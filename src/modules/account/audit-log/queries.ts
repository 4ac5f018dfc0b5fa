import type { Position } from '../../../platform/contract/pagination.ts'
import { columnsExcept, type Db, inRange } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

const COLUMNS = columnsExcept('audit_log', 'org_id')

export interface Filters {
  actor: string | undefined
  action: string | undefined
  resource: string | undefined
  from: string | undefined
  to: string | undefined
}

/** Newest first. */
export function selectEntries(db: Db, orgId: OrgId, filters: Filters, after: Position | undefined, limit: number) {
  const { actor, action, resource, from, to } = filters
  const given = Object.entries({ resource_id: resource, actor_id: actor, action }).filter(
    (filter): filter is ['resource_id' | 'actor_id' | 'action', string] => filter[1] !== undefined,
  )
  // Each filter has an index of its own. The entries that one of them finds are few enough to look at for the others.
  const [first, ...others] = given
  let entries = db.selectFrom('audit_log').select(COLUMNS).where('org_id', '=', orgId)
  for (const [column, value] of others) entries = entries.where(column, '=', value)
  return inRange(db, entries, {
    filters: first === undefined ? [] : [first],
    order: { column: 'created_at', direction: 'desc' },
    from,
    to,
    after: after && { value: after.created_at, id: after.id },
  })
    .limit(limit)
    .execute()
}

export type EntryRow = Awaited<ReturnType<typeof selectEntries>>[number]
