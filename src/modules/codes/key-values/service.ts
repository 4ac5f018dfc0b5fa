import type { Timestamp } from '../../../platform/clock/index.ts'
import type { OffsetPage, OffsetQuery } from '../../../platform/contract/pagination.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { type Context, pageOf } from '../../../platform/http/index.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import type { Changes } from '../../../platform/outbox/index.ts'
import type { KeyValueList } from './contract.ts'
import { deleteKeyValues, insertKeyValues, type KeyValueRow, type ListName, selectKeyValues } from './queries.ts'

/** How the two lists reach what they belong to: a QR code, QR group, object or product. */
export interface Owner<Row extends { id: string }> {
  /** The `object` field of its properties. */
  propertyObject: string
  /** Returns the owner; throws `not_found` or `gone`. */
  require(db: Db, orgId: OrgId, ref: string): Promise<Row>
  /** The same, and locks the owner: two requests that replace a list must not mix their entries. */
  lock(tx: Tx, orgId: OrgId, ref: string): Promise<Row>
  /** Called in the same transaction when a list has changed: a changed list is a change of its owner. */
  changed(tx: Tx, ctx: Context, row: Row, changes: Changes): Promise<unknown>
}

interface Input<Body = unknown> {
  params: { id: string }
  query: OffsetQuery
  body: Body
}

/** The handlers of `keyValueOperations`, for one kind of owner. What an owner is like may depend on the organisation. */
export function keyValueHandlers<Property, Row extends { id: string }>(
  ownerFor: (ctx: Context) => Owner<Row> | Promise<Owner<Row>>,
) {
  const toProperty = (row: KeyValueRow, { propertyObject }: Owner<Row>) =>
    ({ object: propertyObject, ...row }) as Property
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
        const [from, to] = [toPairs(before), toPairs(after)]
        if (JSON.stringify(from) !== JSON.stringify(to)) await owner.changed(tx, ctx, row, { [name]: { from, to } })
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
export async function replaceKeyValues(
  tx: Tx,
  orgId: OrgId,
  ownerId: string,
  list: ListName,
  entries: KeyValueList,
  now: Timestamp,
): Promise<{ before: KeyValueRow[]; after: KeyValueRow[] }> {
  const before = await selectKeyValues(tx, orgId, ownerId, list)
  const byKey = new Map(before.map((row) => [row.key, row]))
  const after = entries.map(({ key, value }, sort_order) => {
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
  if (before.length > 0) await deleteKeyValues(tx, orgId, ownerId, list)
  await insertKeyValues(tx, orgId, ownerId, list, after)
  return { before, after }
}

export const selectUrlParams = async (db: Db, orgId: OrgId, ownerId: string): Promise<[string, string][]> =>
  (await selectKeyValues(db, orgId, ownerId, 'url_params')).map(({ key, value }) => [key, value])

export const selectProperties = async (db: Db, orgId: OrgId, ownerId: string): Promise<[string, string][]> =>
  (await selectKeyValues(db, orgId, ownerId, 'properties')).map(({ key, value }) => [key, value])

export const dropKeyValues = (tx: Tx, orgId: OrgId, ownerId: string): Promise<void> =>
  deleteKeyValues(tx, orgId, ownerId)

const toPairs = (rows: KeyValueRow[]) => rows.map(({ key, value }) => ({ key, value }))
