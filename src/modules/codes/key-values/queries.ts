import { sql } from 'kysely'
import {
  columnsExcept,
  compiled,
  type Db,
  insertRows,
  type Row,
  runWithoutResult,
  type Tx,
} from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

export type ListName = Row<'key_values'>['list']

const COLUMNS = columnsExcept('key_values', 'org_id', 'owner_id', 'list')
export type KeyValueRow = Row<'key_values', typeof COLUMNS>

/** Reads the whole list: it has at most 100 entries. */
export const selectKeyValues = compiled((db: Db, orgId: OrgId, ownerId: string, list: ListName) =>
  db
    .selectFrom('key_values')
    .select(COLUMNS)
    .where('org_id', '=', orgId)
    .where('owner_id', '=', ownerId)
    .where('list', '=', list)
    .orderBy('sort_order'),
)

export type OwnedKeyValue = KeyValueRow & { owner_id: string }

/** Reads the lists of many owners, in order. */
export const selectKeyValuesOf = (
  db: Db,
  orgId: OrgId,
  ownerIds: readonly string[],
  list: ListName,
): Promise<OwnedKeyValue[]> =>
  db
    .selectFrom('key_values')
    .select([...COLUMNS, 'owner_id'])
    .where('org_id', '=', orgId)
    .where('owner_id', 'in', ownerIds)
    .where('list', '=', list)
    .orderBy('owner_id')
    .orderBy('sort_order')
    .execute()

/** The characters in the list of each owner that has one. */
export const selectLengths = (
  db: Db,
  orgId: OrgId,
  ownerIds: readonly string[],
  list: ListName,
): Promise<{ owner_id: string; length: number }[]> =>
  db
    .selectFrom('key_values')
    .select(['owner_id', sql<number>`cast(sum(length(key) + length(value)) as integer)`.as('length')])
    .where('org_id', '=', orgId)
    .where('owner_id', 'in', ownerIds)
    .where('list', '=', list)
    .groupBy('owner_id')
    .execute()

/** The characters in the values of these lists. */
export const countValueLength = async (
  db: Db,
  orgId: OrgId,
  ownerIds: readonly string[],
  list: ListName,
): Promise<number> => {
  const { total } = await db
    .selectFrom('key_values')
    .select(sql<number>`cast(coalesce(sum(length(value)), 0) as bigint)`.as('total'))
    .where('org_id', '=', orgId)
    .where('owner_id', 'in', ownerIds)
    .where('list', '=', list)
    .executeTakeFirstOrThrow()
  return Number(total)
}

export const deleteKeyValues = async (tx: Tx, orgId: OrgId, ownerId: string, list?: ListName): Promise<void> => {
  const rows = tx
    .deleteFrom('key_values')
    .where('org_id', '=', orgId)
    .where('owner_id', '=', ownerId)
    .$if(list !== undefined, (query) => query.where('list', '=', list as ListName))
  await runWithoutResult(tx, rows)
}

export const insertKeyValues = async (
  tx: Tx,
  orgId: OrgId,
  list: ListName,
  rows: readonly OwnedKeyValue[],
): Promise<void> => {
  await insertRows(
    tx,
    'key_values',
    rows.map((row) => ({ ...row, org_id: orgId, list })),
  )
}
