import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

/** The tables of everything that has a destination. */
export type OwnerTable = 'qr_codes' | 'qr_groups' | 'objects' | 'products'

/** A stored destination. */
interface Target {
  type: string
  id: string | null
  url: string | null
}

/** What an owner has to fulfil. Undefined allows everything. */
export interface Criteria {
  from?: Target | undefined
  /** Those that lead there already are left out. */
  to: Target | null
  groupId?: string | undefined
  type?: string | undefined
  status?: string | undefined
  urlStart?: string | undefined
  /** Owners with this id or a later one are newer than the change. */
  before: string
}

/** Owners next to each other in the order of their ids. */
export interface Window {
  after: string
  /** Null up to the end. */
  last: string | null
  /** Only these. */
  ids: readonly string[] | undefined
}

/** The owner that ends a window of this size; undefined if fewer are left. */
export async function selectWindowEnd(
  db: Db,
  orgId: OrgId,
  table: OwnerTable,
  { after, before }: { after: string; before: string },
  size: number,
): Promise<string | undefined> {
  const owners = db.selectFrom(table).select('id').where('org_id', '=', orgId)
  const row = await owners
    .where('id', '>', after)
    .where('id', '<', before)
    .orderBy('id')
    .limit(1)
    .offset(size - 1)
    .executeTakeFirst()
  return row?.id
}

export const selectOwners = (
  db: Db,
  orgId: OrgId,
  table: OwnerTable,
  criteria: Criteria,
  window: Window,
  limit: number,
) =>
  matching(db, orgId, table, criteria, window)
    .select(['id', 'name', 'destination_type', 'destination_id', 'destination_url'])
    .orderBy('id')
    .limit(limit)
    .execute()

export async function countOwners(
  db: Db,
  orgId: OrgId,
  table: OwnerTable,
  criteria: Criteria,
  window: Window,
): Promise<number> {
  const { count } = await matching(db, orgId, table, criteria, window)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The tables share all columns that are used here, but for those of criteria that only one kind can have. */
function matching(
  db: Db,
  orgId: OrgId,
  table: OwnerTable,
  { from, to, groupId, type, status, urlStart, before }: Criteria,
  { after, last, ids }: Window,
) {
  let owners = db
    .selectFrom(table as 'qr_codes')
    .where('org_id', '=', orgId)
    .where('id', '>', after)
    .where('id', '<', before)
    .where(sql<SqlBool>`not coalesce(${leadsTo(to)}, false)`)
  if (last !== null) owners = owners.where('id', '<=', last)
  if (ids !== undefined) owners = owners.where('id', 'in', ids)
  if (from !== undefined) owners = owners.where(leadsTo(from))
  for (const [column, value] of Object.entries({ group_id: groupId, type, status }))
    if (value !== undefined) owners = owners.where(sql.ref(column), '=', value)
  if (urlStart !== undefined)
    owners = owners.where(sql<SqlBool>`substr(destination_url, 1, ${urlStart.length}) = ${urlStart}`)
  return owners
}

function leadsTo(target: Target | null) {
  if (target === null) return sql<SqlBool>`destination_type is null`
  const { type, id, url } = target
  return id === null
    ? sql<SqlBool>`(destination_type = ${type} and destination_url = ${url})`
    : sql<SqlBool>`(destination_type = ${type} and destination_id = ${id})`
}
