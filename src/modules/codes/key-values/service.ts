import type { Timestamp } from '../../../platform/clock/index.ts'
import type { OffsetPage, OffsetQuery } from '../../../platform/contract/pagination.ts'
import { type Db, deleteRows, type Tx } from '../../../platform/db/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import { type Context, pageOf } from '../../../platform/http/index.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import type { Owner, OwnerRow } from '../versions/index.ts'
import type { KeyValueList, SentLists } from './contract.ts'
import {
  countValueLength,
  deleteKeyValues,
  insertKeyValues,
  type KeyValueRow,
  type ListName,
  selectKeyValues,
  selectKeyValuesOf,
  selectLengths,
} from './queries.ts'

export const LIST_NAMES = ['properties', 'url_params'] as const

/** A batch of tiny items could otherwise ask for the longest lists of a thousand owners, 200 MB in all. */
const STORED_LENGTH_MAX = 8_000_000

interface Input<Body = unknown> {
  params: { id: string }
  query: OffsetQuery
  body: Body
}

/** The handlers of `keyValueOperations`, for one kind of owner. What an owner is like may depend on the organisation. */
export function keyValueHandlers<Property, Row extends OwnerRow>(
  ownerFor: (ctx: Context) => Owner<Row> | Promise<Owner<Row>>,
) {
  const toProperty = (row: KeyValueRow, { kind }: Owner<Row>) => ({ object: `${kind}_property`, ...row }) as Property
  const toParam = (row: KeyValueRow) => row
  const list =
    <Item>(name: ListName, toItem: (row: KeyValueRow, owner: Owner<Row>) => Item) =>
    async (ctx: Context, { params, query }: Input): Promise<OffsetPage<Item>> => {
      const owner = await ownerFor(ctx)
      const { id } = await owner.require(ctx.read, ctx.orgId, params.id)
      return pageOf(await selectKeyValues(ctx.read, ctx.orgId, id, name), query, (row) => toItem(row, owner))
    }
  const replace =
    <Item>(name: ListName, toItem: (row: KeyValueRow, owner: Owner<Row>) => Item) =>
    async (ctx: Context, { params, query, body }: Input<Record<string, KeyValueList>>): Promise<OffsetPage<Item>> => {
      const owner = await ownerFor(ctx)
      return ctx.write(async (tx) => {
        const row = await owner.lock(tx, ctx.orgId, params.id)
        const { before, after } = await replaceKeyValues(tx, ctx.orgId, row.id, name, body[name] ?? [], ctx.now)
        const changes = { [name]: { from: toPairs(before), to: toPairs(after) } }
        // A changed list is a change of its owner.
        if (after !== before) await owner.change(tx, ctx, { before: row, after: row }, changes)
        return pageOf(after, query, (item) => toItem(item, owner))
      })
    }
  return {
    listProperties: list('properties', toProperty),
    replaceProperties: replace('properties', toProperty),
    listUrlParams: list('url_params', toParam),
    replaceUrlParams: replace('url_params', toParam),
  }
}

/** Replaces a list. A key that existed before keeps its id, and its timestamps unless its value or position changed. */
async function replaceKeyValues(
  tx: Tx,
  orgId: OrgId,
  ownerId: string,
  list: ListName,
  entries: KeyValueList,
  now: Timestamp,
): Promise<{ before: KeyValueRow[]; after: KeyValueRow[] }> {
  const before = await selectKeyValues(tx, orgId, ownerId, list)
  if (isSameList(before, entries)) return { before, after: before }
  const after = toRows(before, entries, now)
  if (before.length > 0) await deleteKeyValues(tx, orgId, ownerId, list)
  await insertKeyValues(
    tx,
    orgId,
    list,
    after.map((row) => ({ ...row, owner_id: ownerId })),
  )
  return { before, after }
}

const toRows = (before: readonly KeyValueRow[], entries: KeyValueList, now: Timestamp): KeyValueRow[] => {
  const byKey = new Map(before.map((row) => [row.key, row]))
  return entries.map(({ key, value }, sort_order) => {
    const old = byKey.get(key)
    const isSame = old?.value === value && old.sort_order === sort_order
    return {
      id: old?.id ?? newId(),
      key,
      value,
      sort_order,
      created_at: old?.created_at ?? now,
      updated_at: isSame ? old.updated_at : now,
    }
  })
}

const isSameList = (before: readonly KeyValueRow[], entries: KeyValueList): boolean =>
  before.length === entries.length &&
  entries.every(({ key, value }, n) => before[n]?.key === key && before[n].value === value)

/** Replaces the lists that were sent. Returns their entries before and after, for `changesOf`. */
export async function replaceLists(tx: Tx, ctx: Context, ownerId: string, sent: SentLists) {
  const replaced: Record<'before' | 'after', SentLists> = { before: {}, after: {} }
  for (const name of LIST_NAMES) {
    const entries = sent[name]
    if (entries === undefined) continue
    const { before } = await replaceKeyValues(tx, ctx.orgId, ownerId, name, entries, ctx.now)
    replaced.before[name] = toPairs(before)
    replaced.after[name] = entries
  }
  return replaced
}

/** Reads one of the lists of many owners, by owner. Throws 422 if there is too much to change at once. */
export async function readListsOf(
  db: Db,
  orgId: OrgId,
  ownerIds: readonly string[],
  list: ListName,
): Promise<Map<string, KeyValueRow[]>> {
  if (ownerIds.length === 0) return new Map()
  if (ownerIds.length > 1 && (await countValueLength(db, orgId, ownerIds, list)) > STORED_LENGTH_MAX) {
    throw new ApiError(
      'unprocessable',
      `The ${list} that these items have are too long to be changed at once. Send fewer items.`,
      { details: { field: 'items', value: ownerIds.length } },
    )
  }
  const byOwner = new Map<string, KeyValueRow[]>()
  for (const { owner_id, ...row } of await selectKeyValuesOf(db, orgId, ownerIds, list)) {
    const rows = byOwner.get(owner_id)
    if (rows === undefined) byOwner.set(owner_id, [row])
    else rows.push(row)
  }
  return byOwner
}

/** Replaces one of the lists of many owners that really change. `before` is what `readListsOf` returned. */
export async function replaceListsOf(
  tx: Tx,
  ctx: Context,
  list: ListName,
  changed: readonly { ownerId: string; entries: KeyValueList }[],
  before: ReadonlyMap<string, KeyValueRow[]>,
): Promise<void> {
  const replaced = changed.flatMap(({ ownerId }) => before.get(ownerId)?.map(({ id }) => id) ?? [])
  await deleteRows(tx, ctx.orgId, 'key_values', replaced)
  const rows = changed.flatMap(({ ownerId, entries }) =>
    toRows(before.get(ownerId) ?? [], entries, ctx.now).map((row) => ({ ...row, owner_id: ownerId })),
  )
  await insertKeyValues(tx, ctx.orgId, list, rows)
}

export const selectUrlParams = async (db: Db, orgId: OrgId, ownerId: string): Promise<[string, string][]> =>
  (await selectKeyValues(db, orgId, ownerId, 'url_params')).map(({ key, value }) => [key, value])

export const selectProperties = async (db: Db, orgId: OrgId, ownerId: string): Promise<[string, string][]> =>
  (await selectKeyValues(db, orgId, ownerId, 'properties')).map(({ key, value }) => [key, value])

/** The properties of many owners, by owner. Those without any are left out. */
export async function selectPropertiesOf(
  db: Db,
  orgId: OrgId,
  ownerIds: readonly string[],
): Promise<Map<string, Record<string, string>>> {
  const rows = Map.groupBy(await selectKeyValuesOf(db, orgId, ownerIds, 'properties'), ({ owner_id }) => owner_id)
  return new Map([...rows].map(([id, pairs]) => [id, Object.fromEntries(pairs.map(({ key, value }) => [key, value]))]))
}

/** How many characters they have. */
export const countPropertyLengths = async (
  db: Db,
  orgId: OrgId,
  ownerIds: readonly string[],
): Promise<Map<string, number>> =>
  new Map((await selectLengths(db, orgId, ownerIds, 'properties')).map(({ owner_id, length }) => [owner_id, length]))

export const dropKeyValues = (tx: Tx, orgId: OrgId, ownerId: string): Promise<void> =>
  deleteKeyValues(tx, orgId, ownerId)

export const toPairs = (rows: readonly KeyValueRow[]): KeyValueList => rows.map(({ key, value }) => ({ key, value }))
