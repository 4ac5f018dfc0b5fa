import type { Tx } from '../../../platform/db/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import { type Changes, changesOf, emitAll } from '../../../platform/outbox/index.ts'
import {
  type KeyValueRow,
  LIST_NAMES,
  type ListName,
  readListsOf,
  replaceListsOf,
  type SentLists,
  toPairs,
} from '../key-values/index.ts'
import {
  findSetupParts,
  publishTargets,
  retireTargets,
  type TargetSetup,
  type TargetSource,
  toTargetSetup,
} from '../scan-targets/index.ts'
import { recordVersions } from '../versions/index.ts'
import type { ItemInput, ItemPlan, ItemRow, Kind } from './kind.ts'
import { pauseBetween } from './pause.ts'

export interface Done<Resource> {
  result: 'created' | 'updated' | 'unchanged'
  resource: Resource
}

type Stored = Record<ListName, Map<string, KeyValueRow[]>>

interface Changing<Input, Row> extends ItemPlan<Input, Row> {
  /** Undefined if the item is new. */
  changes: Changes | undefined
}

/** Carries out the plans, with a few statements for all of them. Returns what became of each, by its position. */
export async function writeAll<Input extends ItemInput, Row extends ItemRow, Resource extends object>(
  tx: Tx,
  ctx: Context,
  kind: Kind<Input, Row, Resource>,
  plans: readonly ItemPlan<Input, Row>[],
  urls: ReadonlyMap<string, string>,
): Promise<Map<number, Done<Resource>>> {
  const stored = await readSentLists(tx, ctx, plans)
  const changed = plans.flatMap((plan): Changing<Input, Row>[] => {
    if (plan.before === undefined) return [{ ...plan, changes: undefined }]
    const changes = changesIn(kind, plan, plan.before, stored)
    return changes === undefined ? [] : [{ ...plan, changes, after: { ...plan.after, updated_at: ctx.now } }]
  })
  const changing = await withVersions(tx, ctx, kind, changed)
  await pauseBetween(tx, plans)
  const setups = await toSetups(tx, ctx, kind, changing, urls)
  await pauseBetween(tx, plans)
  const rows = await storeRows(tx, ctx, kind, changing, setups)
  await pauseBetween(tx, plans)
  await storeLists(tx, ctx, changing, stored)
  await pauseBetween(tx, plans)
  await publish(tx, ctx, kind, changing, rows, setups)
  await pauseBetween(tx, plans)

  const done = new Map<number, Done<Resource>>()
  for (const { index, before, after } of plans) {
    const row = rows.get(index)
    const result = before === undefined ? 'created' : row === undefined ? 'unchanged' : 'updated'
    done.set(index, { result, resource: kind.toResource(row ?? before ?? after) })
  }
  await emitAll(
    tx,
    kind.events,
    changing.map(({ index, changes }) => ({
      orgId: ctx.orgId,
      type: `${kind.object}.${changes === undefined ? 'created' : 'updated'}`,
      payload: { ...done.get(index)?.resource, ...(changes && { changes }) },
    })),
    ctx.now,
  )
  return done
}

/** What the rows that exist have in the lists that the request replaces. */
async function readSentLists<Input extends ItemInput, Row extends ItemRow>(
  tx: Tx,
  ctx: Context,
  plans: readonly ItemPlan<Input, Row>[],
): Promise<Stored> {
  const read = (name: ListName) =>
    readListsOf(
      tx,
      ctx.orgId,
      plans.flatMap(({ before, input }) => (before !== undefined && input[name] !== undefined ? [before.id] : [])),
      name,
    )
  return { properties: await read('properties'), url_params: await read('url_params') }
}

function changesIn<Input extends ItemInput, Row extends ItemRow, Resource extends object>(
  kind: Kind<Input, Row, Resource>,
  { after, input }: ItemPlan<Input, Row>,
  before: Row,
  stored: Stored,
): Changes | undefined {
  const lists: Record<'from' | 'to', SentLists> = { from: {}, to: {} }
  for (const name of LIST_NAMES) {
    if (input[name] === undefined) continue
    lists.from[name] = toPairs(stored[name].get(before.id) ?? [])
    lists.to[name] = input[name]
  }
  return changesOf({ ...kind.toResource(before), ...lists.from }, { ...kind.toResource(after), ...lists.to })
}

/** The setups of what is new or changed, by the position of the item. */
async function toSetups<Input extends ItemInput, Row extends ItemRow, Resource extends object>(
  tx: Tx,
  ctx: Context,
  kind: Kind<Input, Row, Resource>,
  changing: readonly Changing<Input, Row>[],
  urls: ReadonlyMap<string, string>,
): Promise<Map<number, TargetSetup>> {
  const keepParams = changing.filter(({ before, input }) => before !== undefined && input.url_params === undefined)
  const kept = await readListsOf(
    tx,
    ctx.orgId,
    keepParams.map(({ after }) => after.id),
    'url_params',
  )
  const sources = changing.map(({ after }) => kind.toSource(after))
  const parts = await findSetupParts(tx, ctx.orgId, sources, urls)
  return new Map(
    changing.map(({ index, after, input }, n) => {
      const params = input.url_params ?? kept.get(after.id) ?? []
      const pairs = params.map(({ key, value }): [string, string] => [key, value])
      return [index, toTargetSetup(sources[n] as TargetSource, pairs, parts)]
    }),
  )
}

/** Notes where they lead from now on, and returns them with the numbers of their versions. */
async function withVersions<Input extends ItemInput, Row extends ItemRow, Resource extends object>(
  tx: Tx,
  ctx: Context,
  kind: Kind<Input, Row, Resource>,
  changing: readonly Changing<Input, Row>[],
): Promise<Changing<Input, Row>[]> {
  const existing = changing.flatMap(({ before, after }) =>
    before === undefined
      ? []
      : [{ before: { ...kind.toSource(before), created_at: before.created_at }, after: kind.toSource(after) }],
  )
  const versions = new Map<string, number>()
  for (const { id, version } of await recordVersions(tx, ctx, kind.object, existing)) versions.set(id, version)
  return changing.map((item) => {
    const version = versions.get(item.after.id) ?? item.after.version
    return version === item.after.version ? item : { ...item, after: { ...item.after, version } }
  })
}

/** Returns the rows as they are stored, by the position of the item. */
async function storeRows<Input extends ItemInput, Row extends ItemRow, Resource extends object>(
  tx: Tx,
  ctx: Context,
  kind: Kind<Input, Row, Resource>,
  changing: readonly Changing<Input, Row>[],
  setups: ReadonlyMap<number, TargetSetup>,
): Promise<Map<number, Row>> {
  const created = changing.filter(({ before }) => before === undefined)
  const updated = changing.filter(({ before }) => before !== undefined)
  const drafts = created.map(({ index, after: row }) => ({ index, row, setup: setups.get(index) as TargetSetup }))
  const inserted = drafts.length === 0 ? [] : await kind.claim(tx, ctx.orgId, drafts)
  // Rows are written in the order of their keys: two requests with the same items in another order could otherwise deadlock.
  const keyOf = (row: Row) => String(row[kind.keyField] ?? '')
  await kind.insert(
    tx,
    ctx.orgId,
    inserted.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)),
  )
  await kind.update(
    tx,
    ctx.orgId,
    updated.map(({ after }) => after),
  )
  return new Map([
    ...created.map(({ index }, n) => [index, inserted[n] as Row] as const),
    ...updated.map(({ index, after }) => [index, after] as const),
  ])
}

async function storeLists<Input extends ItemInput, Row extends ItemRow>(
  tx: Tx,
  ctx: Context,
  changing: readonly Changing<Input, Row>[],
  stored: Stored,
): Promise<void> {
  for (const name of LIST_NAMES) {
    const changed = changing.flatMap(({ after: { id: ownerId }, input, changes }) => {
      const entries = input[name]
      return entries === undefined || (changes !== undefined && !(name in changes)) ? [] : [{ ownerId, entries }]
    })
    await replaceListsOf(tx, ctx, name, changed, stored[name])
  }
}

async function publish<Input extends ItemInput, Row extends ItemRow, Resource extends object>(
  tx: Tx,
  ctx: Context,
  kind: Kind<Input, Row, Resource>,
  changing: readonly Changing<Input, Row>[],
  rows: ReadonlyMap<number, Row>,
  setups: ReadonlyMap<number, TargetSetup>,
): Promise<void> {
  const targets = changing.flatMap(({ index, before }) => {
    const row = rows.get(index) as Row
    const keys = [...(before === undefined ? [] : kind.claimedKeys(row)), ...kind.otherKeys(ctx.orgId, row)]
    return keys.map((key) => ({ key, id: row.id, setup: setups.get(index) as TargetSetup }))
  })
  const published = new Set(targets.map(({ key }) => key))
  const left = changing.flatMap(({ before }) => (before === undefined ? [] : kind.otherKeys(ctx.orgId, before)))
  await retireTargets(
    tx,
    ctx.orgId,
    left.filter((key) => !published.has(key)),
  )
  await publishTargets(tx, ctx.orgId, targets)
}
