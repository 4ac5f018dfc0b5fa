import type { Updated } from '../../../platform/contract/index.ts'
import type { RefusedItem } from '../../../platform/contract/operation.ts'
import type { Tx } from '../../../platform/db/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import {
  type Changed,
  changeById,
  createOrChange,
  createOrChangeBatch,
  type ItemPlan,
  type Kind,
} from '../create-or-change/index.ts'
import { settleDestination } from '../destinations/index.ts'
import { claimSlugs, targetKey } from '../scan-targets/index.ts'
import { FIRST_VERSION } from '../versions/index.ts'
import type { TaggedObject, TaggedObjectBatch, TaggedObjectCreate } from './contract.ts'
import { objectEvents } from './events.ts'
import { requirePrefixRoom } from './gs1-key-prefixes.ts'
import { insertObjects, lockObjectsBy, type ObjectRow, selectObjectsBy, updateObjectRows } from './queries.ts'
import { gs1TargetKey, toGs1Key, toTaggedObject, toTargetSource, withInput } from './service.ts'

/** Creates an object, or changes the one that already has this external id. */
export const createObject = (
  ctx: Context,
  input: TaggedObjectCreate,
  publicUrl: string,
): Promise<TaggedObject | Updated<TaggedObject>> => createOrChange(ctx, objectKind(publicUrl), input)

export const createObjects = (
  ctx: Context,
  batch: TaggedObjectBatch,
  refused: readonly RefusedItem[],
  publicUrl: string,
) => createOrChangeBatch(ctx, objectKind(publicUrl), batch, refused)

/** Changes objects that exist, with the same effects as a PATCH of each. */
export const changeObjects = (
  tx: Tx,
  ctx: Context,
  ids: readonly string[],
  decide: (row: ObjectRow) => Partial<TaggedObjectCreate> | undefined,
  publicUrl: string,
): Promise<Map<string, Changed<ObjectRow>>> => changeById(tx, ctx, objectKind(publicUrl), ids, decide)

type ObjectKind = Kind<TaggedObjectCreate, ObjectRow, TaggedObject> & { keyField: 'external_id' }

const objectKind = (publicUrl: string): ObjectKind => ({
  object: 'object',
  events: objectEvents,
  keyField: 'external_id',
  uniqueIndexes: ['objects_org_external_id_key', 'objects_org_gs1_key_key'],
  rows: { selectAllBy: selectObjectsBy, lockAllBy: lockObjectsBy },
  normalise: (input) => ({ ...input, gs1_key: toGs1Key(input.gs1_key) }),
  toNewRow: (input, id, now) => ({
    id,
    type: input.type,
    external_id: input.external_id ?? null,
    gs1_key: input.gs1_key ?? null,
    public_slug: '',
    name: input.name ?? null,
    description: input.description ?? null,
    metadata: input.metadata ?? {},
    is_active: input.is_active ?? true,
    ...settleDestination(input),
    ...FIRST_VERSION,
    created_at: now,
    updated_at: now,
    total_scans: 0,
    last_scanned_at: null,
  }),
  change: withInput,
  toResource: (row) => toTaggedObject(row, publicUrl),
  toSource: toTargetSource,
  check: findTakenGs1Keys,
  async claim(tx, orgId, drafts) {
    const slugs = await claimSlugs(
      tx,
      orgId,
      'object',
      drafts.map(({ row: { id }, setup }) => ({ id, setup })),
    )
    return drafts.map(({ row }, n) => ({ ...row, public_slug: slugs[n] as string }))
  },
  insert: insertObjects,
  update: updateObjectRows,
  claimedKeys: ({ public_slug }) => [targetKey('object', public_slug)],
  otherKeys: (orgId, { gs1_key }) => (gs1_key === null ? [] : [gs1TargetKey(orgId, gs1_key)]),
})

/** A GS1 key that another object has, or an item before. Objects cannot exchange their keys in one request. */
async function findTakenGs1Keys(tx: Tx, orgId: OrgId, plans: readonly ItemPlan<TaggedObjectCreate, ObjectRow>[]) {
  const holders = new Map<string, ObjectRow>()
  const wanted = plans.filter(({ before, after }) => after.gs1_key !== null && after.gs1_key !== before?.gs1_key)
  await requirePrefixRoom(
    tx,
    orgId,
    wanted.map(({ after }) => after.gs1_key),
  )
  const keys = [...new Set(wanted.map(({ after }) => after.gs1_key as string))]
  const rows = keys.length === 0 ? [] : await selectObjectsBy(tx, orgId, 'gs1_key', keys)
  for (const row of rows) holders.set(row.gs1_key as string, row)
  const errors = new Map<number, ApiError>()
  for (const { index, after, sent } of wanted) {
    const key = after.gs1_key as string
    const holder = holders.get(key)
    holders.set(key, holder ?? after)
    if (holder === undefined) continue
    // The same object, which another request has created meanwhile. The unique index refuses a second one.
    if (after.external_id !== null && after.external_id === holder.external_id) continue
    const message = 'Another object already has this gs1_key. Choose another one.'
    errors.set(index, new ApiError('conflict', message, { details: { field: 'gs1_key', value: sent.gs1_key } }))
  }
  return errors
}
