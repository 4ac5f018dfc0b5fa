import type { Timestamp } from '../../../platform/clock/index.ts'
import type { OffsetPage, OffsetQuery } from '../../../platform/contract/pagination.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { type Context, pageOf } from '../../../platform/http/index.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import type { KeyValueList } from './contract.ts'
import { deleteKeyValues, insertKeyValues, type KeyValueRow, type ListName, selectKeyValues } from './queries.ts'

/** What the lists belong to, as they need to know it. */
export interface Owner {
  /** The owner's id; throws the error of an owner that is not there. */
  require(db: Db, orgId: OrgId, ref: string): Promise<string>
  /** The same, and nobody else changes it until the transaction ends: two who replace a list must not mix. */
  lock(tx: Tx, orgId: OrgId, ref: string): Promise<string>
  /** Called in the same transaction when a list has changed. */
  changed(tx: Tx, ctx: Context, id: string, changes: Record<string, { from: unknown; to: unknown }>): Promise<void>
  /** `object` of its properties. */
  propertyObject: string
}

interface Input<Body = unknown> {
  params: { id: string }
  query: OffsetQuery
  body: Body
}

/** The handlers of `keyValueOperations`, for one kind of owner. */
export function keyValueHandlers<Property>(owner: Owner) {
  const toProperty = (row: KeyValueRow) => ({ object: owner.propertyObject, ...row }) as Property
  const toParam = (row: KeyValueRow) => row
  const list =
    <Item>(name: ListName, toItem: (row: KeyValueRow) => Item) =>
    async (ctx: Context, { params, query }: Input): Promise<OffsetPage<Item>> => {
      const id = await owner.require(ctx.read, ctx.orgId, params.id)
      return pageOf(await selectKeyValues(ctx.read, ctx.orgId, id, name), query, toItem)
    }
  const replace =
    <Item>(name: ListName, toItem: (row: KeyValueRow) => Item) =>
    (ctx: Context, { params, query, body }: Input<Record<string, KeyValueList>>): Promise<OffsetPage<Item>> =>
      ctx.write(async (tx) => {
        const id = await owner.lock(tx, ctx.orgId, params.id)
        const { before, after } = await replaceKeyValues(tx, ctx.orgId, id, name, body[name] ?? [], ctx.now)
        const [from, to] = [toPairs(before), toPairs(after)]
        if (JSON.stringify(from) !== JSON.stringify(to)) await owner.changed(tx, ctx, id, { [name]: { from, to } })
        return pageOf(after, query, toItem)
      })
  return {
    listProperties: list('properties', toProperty),
    replaceProperties: replace('properties', toProperty),
    listUrlParams: list('url_params', toParam),
    replaceUrlParams: replace('url_params', toParam),
  }
}

/** The list as it will stand: a key that was there keeps its id, and its times unless something about it changed. */
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

export const dropKeyValues = (tx: Tx, orgId: OrgId, ownerId: string): Promise<void> =>
  deleteKeyValues(tx, orgId, ownerId)

const toPairs = (rows: KeyValueRow[]) => rows.map(({ key, value }) => ({ key, value }))
