import type { z } from 'zod'
import type { FileAnswer } from '../../../platform/contract/index.ts'
import type { OffsetPage } from '../../../platform/contract/pagination.ts'
import { type Db, lockRow, type Tx } from '../../../platform/db/index.ts'
import { bury, missing } from '../../../platform/db/tombstones.ts'
import { type Context, offsetPage } from '../../../platform/http/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { changesOf, emit } from '../../../platform/outbox/index.ts'
import { requireDestinationUrl, toDestination, toDestinationColumns } from '../destinations/index.ts'
import { dropKeyValues, type Owner, replaceKeyValues } from '../key-values/index.ts'
import { toPicture } from '../pictures/index.ts'
import { publishTarget, retireTarget, type TargetSource, targetKey } from '../scan-targets/index.ts'
import type { objects, TaggedObject, TaggedObjectCreate, TaggedObjectUpdate } from './contract.ts'
import { objectEvents } from './events.ts'
import {
  countObjects,
  deleteObjectRow,
  type NewObject,
  type ObjectRow,
  selectObject,
  selectObjects,
  updateObjectRow,
} from './queries.ts'

type ListQuery = z.output<typeof objects.list.declared.query>
type PictureQuery = z.output<typeof objects.getImage.declared.query>
type Lists = Pick<TaggedObjectCreate, 'properties' | 'url_params'>

export function listObjects(ctx: Context, query: ListQuery, publicUrl: string): Promise<OffsetPage<TaggedObject>> {
  const { type, external_id, is_active, search, sort } = query
  const filters = { type, external_id, is_active, search }
  const hasTotal = type === undefined && external_id === undefined && is_active === undefined && !search
  return offsetPage(ctx, query, {
    totals: ['objects'],
    count: hasTotal ? undefined : (db) => countObjects(db, ctx.orgId, filters),
    rows: (db, limit, offset) => selectObjects(db, ctx.orgId, filters, sort, limit, offset),
    toItem: (row) => toTaggedObject(row, publicUrl),
  })
}

export const getObject = async (ctx: Context, id: string, publicUrl: string): Promise<TaggedObject> =>
  toTaggedObject(await requireObject(ctx.read, ctx.orgId, id), publicUrl)

export const updateObject = (
  ctx: Context,
  id: string,
  input: TaggedObjectUpdate,
  publicUrl: string,
): Promise<TaggedObject> =>
  ctx.write(async (tx) => changeObject(tx, ctx, await lockObject(tx, ctx.orgId, id), input, publicUrl))

export function deleteObject(ctx: Context, id: string): Promise<void> {
  return ctx.write(async (tx) => {
    const { public_slug } = await lockObject(tx, ctx.orgId, id)
    await dropKeyValues(tx, ctx.orgId, id)
    await deleteObjectRow(tx, ctx.orgId, id)
    await bury(tx, ctx.orgId, 'object', id, ctx.now)
    await retireTarget(tx, ctx.orgId, targetKey('object', public_slug))
    const deleted = { object: 'object', id, deleted: true as const, deleted_at: ctx.now }
    await emit(tx, ctx.orgId, objectEvents, 'object.deleted', deleted, ctx.now)
  })
}

export async function drawObjectPicture(
  ctx: Context,
  id: string,
  query: PictureQuery,
  accept: string | undefined,
  publicUrl: string,
): Promise<FileAnswer> {
  const { public_slug, url } = await getObject(ctx, id, publicUrl)
  return toPicture(url, { object_id: id, public_slug }, query, accept)
}

/** Its lists change it, too. */
export const objectOwner = (publicUrl: string): Owner => ({
  propertyObject: 'object_property',
  require: async (db, orgId, id) => (await requireObject(db, orgId, id)).id,
  lock: async (tx, orgId, id) => (await lockObject(tx, orgId, id)).id,
  changed: async (tx, ctx, id, changes) => {
    const row = await requireObject(tx, ctx.orgId, id)
    await storeChanges(tx, ctx, { ...row, updated_at: ctx.now }, changes, publicUrl)
  },
})

/** An object that is locked already, with what was sent; the lists are replaced where they were sent, too. */
export async function changeObject(
  tx: Tx,
  ctx: Context,
  row: ObjectRow,
  input: TaggedObjectUpdate & Lists,
  publicUrl: string,
): Promise<TaggedObject> {
  const { destination: lead } = input
  await requireDestinationUrl(tx, ctx.orgId, lead)
  const wanted: ObjectRow = {
    ...row,
    ...(input.type !== undefined && { type: input.type }),
    ...(input.external_id !== undefined && { external_id: input.external_id }),
    ...(input.name !== undefined && { name: input.name }),
    ...(input.description !== undefined && { description: input.description }),
    ...(input.metadata !== undefined && { metadata: input.metadata }),
    ...(input.is_active !== undefined && { is_active: input.is_active }),
    ...(lead !== undefined && toDestinationColumns(lead)),
    updated_at: ctx.now,
  }
  const lists = await replaceLists(tx, ctx, row.id, input)
  const before = toTaggedObject(row, publicUrl)
  const changes = changesOf({ ...before, ...lists.before }, { ...toTaggedObject(wanted, publicUrl), ...lists.after })
  return changes === undefined ? before : storeChanges(tx, ctx, wanted, changes, publicUrl)
}

/** Answers those that were sent, as they were and as they are. */
export async function replaceLists(tx: Tx, ctx: Context, id: string, sent: Lists) {
  const replaced: Record<'before' | 'after', Lists> = { before: {}, after: {} }
  for (const name of ['properties', 'url_params'] as const) {
    const entries = sent[name]
    if (entries === undefined) continue
    const { before } = await replaceKeyValues(tx, ctx.orgId, id, name, entries, ctx.now)
    replaced.before[name] = before.map(({ key, value }) => ({ key, value }))
    replaced.after[name] = entries
  }
  return replaced
}

export async function requireObject(db: Db, orgId: OrgId, id: string): Promise<ObjectRow> {
  const row = await selectObject(db, orgId, id)
  if (row === undefined) throw await missing(db, orgId, 'object', id)
  return row
}

async function lockObject(tx: Tx, orgId: OrgId, id: string): Promise<ObjectRow> {
  await lockRow(tx, orgId, 'objects', id)
  return requireObject(tx, orgId, id)
}

async function storeChanges(
  tx: Tx,
  ctx: Context,
  row: ObjectRow,
  changes: NonNullable<ReturnType<typeof changesOf>>,
  publicUrl: string,
): Promise<TaggedObject> {
  await updateObjectRow(tx, ctx.orgId, row)
  await publishTarget(tx, ctx.orgId, targetKey('object', row.public_slug), toTargetSource(row))
  const object = toTaggedObject(row, publicUrl)
  await emit(tx, ctx.orgId, objectEvents, 'object.updated', { ...object, changes }, ctx.now)
  return object
}

/** To whoever scans it, an object is either on or off. */
export const toTargetSource = <Row extends Omit<NewObject, 'public_slug'>>(row: Row): TargetSource => ({
  ...row,
  status: row.is_active ? 'active' : 'inactive',
})

export function toTaggedObject(row: ObjectRow, publicUrl: string): TaggedObject {
  const { id, type, external_id, public_slug, name, description, metadata, is_active } = row
  return {
    object: 'object',
    id,
    type,
    external_id,
    public_slug,
    url: `${publicUrl}/o/${public_slug}`,
    name,
    description,
    metadata,
    destination: toDestination(row),
    is_active,
    total_scans: row.total_scans,
    last_scanned_at: row.last_scanned_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}
