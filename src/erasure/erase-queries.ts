import { type RawBuilder, sql } from 'kysely'
import { type Db, isSqlite, type Tx } from '../platform/db/index.ts'
import type { OrgId } from '../platform/ids/index.ts'

/** How to find the rows of an organisation in a table. Unless it says otherwise, by an index that starts with `org_id`. */
export interface ErasedTable {
  table: string
  /** Identifies a row within the organisation. Needed where SQLite has no `rowid`. */
  key?: string
  /** No index starts with `org_id`: the whole table is read, in the order of this column, which has an index. */
  walk?: string
  /** Tables whose rows belong to rows of this one, with the column that names the parent. */
  children?: Record<string, string>
  /** The topic to announce, and the column with the keys. */
  announced?: readonly [topic: string, column: string]
}

/** Deletes some rows. Returns one value for each, which is announced if the table has a topic. */
export function deleteBatch(tx: Tx, orgId: OrgId, { table, key, announced }: ErasedTable, limit: number) {
  const row = key === undefined ? rowIdentity(tx) : sql.ref(key)
  return run(
    tx,
    sql`delete from ${sql.table(table)} where "org_id" = ${orgId} and ${row} in (
      select ${row} from ${sql.table(table)} where "org_id" = ${orgId} limit ${limit}
    ) returning ${returned(announced)}`,
  )
}

export const selectIds = async (db: Db, orgId: OrgId, table: string, limit: number): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select "id" from ${sql.table(table)} where "org_id" = ${orgId} limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Deletes a batch of rows that have one of these values. */
export function deleteWithin(
  tx: Tx,
  orgId: OrgId,
  { table, announced }: ErasedTable,
  column: string,
  values: readonly string[],
  limit: number,
) {
  const row = rowIdentity(tx)
  return run(
    tx,
    sql`delete from ${sql.table(table)} where ${row} in (
      select ${row} from ${sql.table(table)}
      where ${sql.ref(column)} in (${sql.join(values)}) and "org_id" = ${orgId} limit ${limit}
    ) returning ${returned(announced)}`,
  )
}

/** Returns the key that ends a step of a walk; undefined if the rest of the table is one step. */
export async function selectWalkEnd(
  db: Db,
  table: string,
  key: string,
  after: string | undefined,
  rows: number,
): Promise<string | undefined> {
  const { rows: found } = await sql<{ end: string }>`
    select ${sql.ref(key)} as "end" from ${sql.table(table)} ${after === undefined ? sql`` : sql`where ${sql.ref(key)} > ${after}`}
    order by ${sql.ref(key)} limit 1 offset ${rows - 1}`.execute(db)
  return found[0]?.end
}

/** Deletes the organisation's rows of one step. */
export function deleteWalked(
  tx: Tx,
  orgId: OrgId,
  { table, announced }: ErasedTable,
  key: string,
  { after, end }: { after: string | undefined; end: string | undefined },
): Promise<string[]> {
  const conditions = [
    sql`"org_id" = ${orgId}`,
    ...(after === undefined ? [] : [sql`${sql.ref(key)} > ${after}`]),
    ...(end === undefined ? [] : [sql`${sql.ref(key)} <= ${end}`]),
  ]
  return run(
    tx,
    sql`delete from ${sql.table(table)} where ${sql.join(conditions, sql` and `)} returning ${returned(announced)}`,
  )
}

/** Makes some categories top-level. Returns false if all of them are. */
export async function detachCategories(tx: Tx, orgId: OrgId, limit: number): Promise<boolean> {
  const changed = await run(
    tx,
    sql`update "article_categories" set "parent_id" = null where "id" in (
      select "id" from "article_categories" where "org_id" = ${orgId} and "parent_id" is not null limit ${limit}
    ) returning ${returned()}`,
  )
  return changed.length > 0
}

export const deleteRowsOf = async (tx: Tx, orgId: OrgId, table: string): Promise<void> => {
  await sql`delete from ${sql.table(table)} where "org_id" = ${orgId}`.execute(tx)
}

/** Removes a person from an organisation, and what only their account uses. */
export async function deleteAccountRows(tx: Tx, orgId: OrgId, userId: string): Promise<void> {
  await tx.deleteFrom('sessions').where('user_id', '=', userId).execute()
  await tx.deleteFrom('one_time_links').where('user_id', '=', userId).execute()
  const invitations = tx.updateTable('invitations').set({ invited_by: null }).where('org_id', '=', orgId)
  await invitations.where('invited_by', '=', userId).execute()
  for (const table of ['api_keys', 'invitations'] as const) {
    const created = tx.updateTable(table).set({ created_by: null }).where('org_id', '=', orgId)
    await created.where('created_by', '=', userId).execute()
  }
  await tx.deleteFrom('members').where('org_id', '=', orgId).where('user_id', '=', userId).execute()
  await tx.deleteFrom('users').where('id', '=', userId).execute()
}

/** The fastest way to a row on either engine. */
const rowIdentity = (tx: Tx): RawBuilder<unknown> => sql.raw(isSqlite(tx) ? 'rowid' : 'ctid')

const returned = (announced?: ErasedTable['announced']): RawBuilder<unknown> =>
  sql`${sql.ref(announced?.[1] ?? 'org_id')} as "value"`

const run = async (tx: Tx, statement: RawBuilder<unknown>): Promise<string[]> =>
  (await statement.execute(tx)).rows.map((row) => (row as { value: string }).value)
