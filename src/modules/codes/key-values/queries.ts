import { sql } from 'kysely'
import { compiled, type Db, insertRows, runWithoutResult, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

export type ListName = 'properties' | 'url_params'

interface KeyValuesTable {
  id: string
  org_id: string
  owner_id: string
  list: ListName
  key: string
  value: string
  sort_order: number
  created_at: string
  updated_at: string
}

declare module '../../../platform/db/types.ts' {
  interface Tables {
    key_values: KeyValuesTable
  }
}

const COLUMNS = ['id', 'key', 'value', 'sort_order', 'created_at', 'updated_at'] as const
export type KeyValueRow = Pick<KeyValuesTable, (typeof COLUMNS)[number]>

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

export const deleteKeyValuesOf = async (
  tx: Tx,
  orgId: OrgId,
  ownerIds: readonly string[],
  list: ListName,
): Promise<void> => {
  if (ownerIds.length === 0) return
  const remove = tx
    .deleteFrom('key_values')
    .where('org_id', '=', orgId)
    .where('owner_id', 'in', ownerIds)
    .where('list', '=', list)
  await runWithoutResult(tx, remove)
}

export const deleteKeyValues = async (tx: Tx, orgId: OrgId, ownerId: string, list?: ListName): Promise<void> => {
  await tx
    .deleteFrom('key_values')
    .where('org_id', '=', orgId)
    .where('owner_id', '=', ownerId)
    .$if(list !== undefined, (query) => query.where('list', '=', list as ListName))
    .execute()
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
    [...COLUMNS, 'org_id', 'owner_id', 'list'],
    rows.map((row) => ({ ...row, org_id: orgId, list })),
  )
}
