import type { z } from 'zod'
import type { OffsetPage } from '../../../platform/contract/pagination.ts'
import { sentFields } from '../../../platform/contract/sent-fields.ts'
import { type Db, deleteRows, lockRow, type Tx } from '../../../platform/db/index.ts'
import { insertTombstone, notFoundOrGone } from '../../../platform/db/tombstones.ts'
import { invalidPayload, invalidQuery } from '../../../platform/errors/index.ts'
import { type Context, offsetPage } from '../../../platform/http/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { type Changes, changesOf, emit } from '../../../platform/outbox/index.ts'
import { codeFileName } from '../code-images/index.ts'
import { requireDestination, settleDestination, toDestination, toDestinationColumns } from '../destinations/index.ts'
import { normaliseGs1Key } from '../gs1/index.ts'
import { dropKeyValues, replaceLists } from '../key-values/index.ts'
import { gs1KeySlug, publishTarget, retireTarget, targetKey } from '../scan-targets/index.ts'
import { type Cause, type ChangedOwner, deleteOwnerVersions, type Owner, recordVersion } from '../versions/index.ts'
import type { objects, TaggedObject, TaggedObjectUpdate } from './contract.ts'
import { objectEvents } from './events.ts'
import { requirePrefixRoom } from './gs1-key-prefixes.ts'
import {
  countObjects,
  type NewObject,
  type ObjectRow,
  selectObject,
  selectObjects,
  updateObjectRow,
} from './queries.ts'

const GS1_KEY_PROBLEM =
  'Must be a GS1 key such as 8004/9506000CHAIR0042, with the correct check digit. Only keys of variable length can end with {rest}. A GTIN belongs to a product'

type ListQuery = z.output<typeof objects.list.declared.query>

export function listObjects(ctx: Context, query: ListQuery, publicUrl: string): Promise<OffsetPage<TaggedObject>> {
  const { type, external_id, is_active, search, sort } = query
  const gs1_key = query.gs1_key === undefined ? undefined : normaliseGs1Key(query.gs1_key)
  if (query.gs1_key !== undefined && gs1_key === undefined) throw invalidQuery({ gs1_key: [GS1_KEY_PROBLEM] })
  const equal = { type, external_id, gs1_key, is_active }
  const filters = { ...equal, search }
  const hasTotal = Object.values(equal).every((value) => value === undefined) && !search
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
  ctx.write(async (tx) => applyUpdate(tx, ctx, await lockObject(tx, ctx.orgId, id), input, publicUrl))

/** Removes the codes from an object that is about to be deleted. */
export type DetachCodes = (tx: Tx, orgId: OrgId, objectId: string) => Promise<void>

export function deleteObject(ctx: Context, id: string, detachCodes: DetachCodes): Promise<void> {
  return ctx.writeInPieces(async (tx) => {
    const row = await lockObject(tx, ctx.orgId, id)
    const { public_slug, name, type, external_id, gs1_key } = row
    await detachCodes(tx, ctx.orgId, id)
    await dropKeyValues(tx, ctx.orgId, id)
    await deleteOwnerVersions(tx, ctx.orgId, id)
    await deleteRows(tx, ctx.orgId, 'objects', [id])
    await insertTombstone(tx, ctx.orgId, 'object', id, ctx.now)
    for (const key of targetKeys(ctx.orgId, row)) await retireTarget(tx, ctx.orgId, key)
    const deleted = { object: 'object', id, deleted: true as const, deleted_at: ctx.now }
    await emit(tx, ctx.orgId, objectEvents, 'object.deleted', deleted, ctx.now, {
      public_slug,
      name,
      type,
      external_id,
      gs1_key,
    })
  })
}

export async function getObjectImageSource(ctx: Context, id: string, publicUrl: string) {
  const { public_slug, url, name } = await getObject(ctx, id, publicUrl)
  return { url, owner: { object_id: id, public_slug }, fileName: codeFileName(name, public_slug) }
}

export const objectOwner = (publicUrl: string): Owner<ObjectRow> => ({
  kind: 'object',
  require: requireObject,
  lock: lockObject,
  toSource: toTargetSource,
  withState: (row, { destination, status, group_id: _, object_id: __, ...state }) => ({
    ...row,
    ...toDestinationColumns(destination),
    ...state,
    is_active: status === 'active',
  }),
  toResource: (row) => toTaggedObject(row, publicUrl),
  store: (tx, ctx, row) => storeObject(tx, ctx, row),
  change: (tx, ctx, changed, changes, cause) => changeObject(tx, ctx, changed, changes, { publicUrl, cause }),
})

/** Applies a request to an object that is already locked. Lists that were sent are replaced. */
async function applyUpdate(
  tx: Tx,
  ctx: Context,
  row: ObjectRow,
  input: TaggedObjectUpdate,
  publicUrl: string,
): Promise<TaggedObject> {
  const { properties, url_params } = input
  const destination = await requireDestination(tx, ctx.orgId, input)
  const after = withInput(row, { ...input, ...destination, gs1_key: toGs1Key(input.gs1_key) })
  const lists = await replaceLists(tx, ctx, row.id, { properties, url_params })
  const object = toTaggedObject(row, publicUrl)
  const changes = changesOf({ ...object, ...lists.before }, { ...toTaggedObject(after, publicUrl), ...lists.after })
  if (changes === undefined) return object
  if (row.gs1_key !== after.gs1_key) {
    await requirePrefixRoom(tx, ctx.orgId, [after.gs1_key])
    if (row.gs1_key !== null) await retireTarget(tx, ctx.orgId, gs1TargetKey(ctx.orgId, row.gs1_key))
  }
  return changeObject(tx, ctx, { before: row, after }, changes, { publicUrl, sentGs1Key: input.gs1_key })
}

/** The row after a request. */
export function withInput(row: ObjectRow, input: TaggedObjectUpdate): ObjectRow {
  const { destination: _, properties: __, url_params: ___, ...fields } = input
  return { ...row, ...sentFields(fields), ...settleDestination(input, row) }
}

export async function requireObject(db: Db, orgId: OrgId, id: string): Promise<ObjectRow> {
  const row = await selectObject(db, orgId, id)
  if (row === undefined) throw await notFoundOrGone(db, orgId, 'object', id)
  return row
}

async function lockObject(tx: Tx, orgId: OrgId, id: string): Promise<ObjectRow> {
  await lockRow(tx, orgId, 'objects', id)
  return requireObject(tx, orgId, id)
}

async function storeObject(tx: Tx, { orgId }: Context, row: ObjectRow, sentGs1Key?: string | null): Promise<void> {
  await updateObjectRow(tx, orgId, row, sentGs1Key)
  for (const key of targetKeys(orgId, row)) await publishTarget(tx, orgId, key, toTargetSource(row))
}

async function changeObject(
  tx: Tx,
  ctx: Context,
  { before, after }: ChangedOwner<ObjectRow>,
  changes: Changes,
  {
    publicUrl,
    sentGs1Key,
    cause,
  }: { publicUrl: string; sentGs1Key?: string | null | undefined; cause?: Cause | undefined },
): Promise<TaggedObject> {
  const sources = { before: toTargetSource(before), after: toTargetSource(after) }
  const { version } = await recordVersion(tx, ctx, 'object', sources, cause)
  const row = { ...after, version, updated_at: ctx.now }
  await storeObject(tx, ctx, row, sentGs1Key)
  const object = toTaggedObject(row, publicUrl)
  await emit(tx, ctx.orgId, objectEvents, 'object.updated', { ...object, changes }, ctx.now)
  return object
}

/** The stored form of a GS1 key. Null clears it; undefined, when it was not sent, keeps it. */
export function toGs1Key(sent: string | null | undefined): string | null | undefined {
  if (sent == null) return sent
  const gs1Key = normaliseGs1Key(sent)
  if (gs1Key === undefined) throw invalidPayload({ gs1_key: [GS1_KEY_PROBLEM] })
  return gs1Key
}

export const gs1TargetKey = (orgId: OrgId, gs1Key: string): string => targetKey('object', gs1KeySlug(orgId, gs1Key))

/** The keys under which scans find the object: by its slug and by its GS1 key. */
const targetKeys = (orgId: OrgId, { public_slug, gs1_key }: ObjectRow): string[] => [
  targetKey('object', public_slug),
  ...(gs1_key === null ? [] : [gs1TargetKey(orgId, gs1_key)]),
]

/** Objects have no status: for a scan they are active or inactive. */
export const toTargetSource = <Row extends Omit<NewObject, 'public_slug'>>(row: Row) => ({
  ...row,
  status: row.is_active ? ('active' as const) : ('inactive' as const),
})

export function toTaggedObject(row: ObjectRow, publicUrl: string): TaggedObject {
  const { id, type, external_id, gs1_key, public_slug, name, description, metadata, is_active } = row
  return {
    object: 'object',
    id,
    type,
    external_id,
    gs1_key,
    public_slug,
    url: `${publicUrl}/o/${public_slug}`,
    name,
    description,
    metadata,
    destination: toDestination(row),
    destination_article_id: row.destination_article_id,
    has_rules: row.rules_version !== null,
    is_active,
    total_scans: row.total_scans,
    last_scanned_at: row.last_scanned_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}
