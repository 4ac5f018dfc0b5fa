import { Updated } from '../../../platform/contract/index.ts'
import { lockRow, type Tx } from '../../../platform/db/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import { emit } from '../../../platform/outbox/index.ts'
import { requireDestinationUrl, toDestinationColumns } from '../destinations/index.ts'
import { claimSlugs, publishTarget, toTargetRule } from '../scan-targets/index.ts'
import type { TaggedObject, TaggedObjectCreate } from './contract.ts'
import { objectEvents } from './events.ts'
import {
  insertObject,
  type NewObject,
  type ObjectRow,
  selectObjectByExternalId,
  selectObjectByGs1Key,
} from './queries.ts'
import { applyUpdate, gs1TargetKey, replaceLists, toGs1Key, toTaggedObject, toTargetSource } from './service.ts'

/** Another request created an object with the same external id after we had looked for one. */
class ExternalIdJustTaken extends Error {}

/** Creates an object, or updates the one that already has this external id. */
export async function createObject(
  ctx: Context,
  input: TaggedObjectCreate,
  publicUrl: string,
): Promise<TaggedObject | Updated<TaggedObject>> {
  try {
    return await ctx.write(async (tx) => {
      const existing = await lockByExternalId(tx, ctx.orgId, input.external_id)
      if (existing === undefined) return create(tx, ctx, input, publicUrl)
      return new Updated(await applyUpdate(tx, ctx, existing, input, publicUrl))
    })
  } catch (error) {
    // Our transaction was rolled back, including the claimed slug. The retry finds the other request's object.
    if (error instanceof ExternalIdJustTaken) return createObject(ctx, input, publicUrl)
    throw error
  }
}

async function lockByExternalId(
  tx: Tx,
  orgId: OrgId,
  externalId: string | null | undefined,
): Promise<ObjectRow | undefined> {
  if (externalId == null) return undefined
  const found = await selectObjectByExternalId(tx, orgId, externalId)
  if (found === undefined) return undefined
  await lockRow(tx, orgId, 'objects', found.id)
  const locked = await selectObjectByExternalId(tx, orgId, externalId)
  // While we waited for the lock, the external id may have moved to another object.
  return locked === undefined || locked.id === found.id ? locked : lockByExternalId(tx, orgId, externalId)
}

async function create(tx: Tx, ctx: Context, input: TaggedObjectCreate, publicUrl: string): Promise<TaggedObject> {
  const destination = input.destination ?? null
  const destinationUrl = await requireDestinationUrl(tx, ctx.orgId, destination)
  const draft = {
    id: newId(),
    type: input.type,
    external_id: input.external_id ?? null,
    gs1_key: toGs1Key(input.gs1_key) ?? null,
    name: input.name ?? null,
    description: input.description ?? null,
    metadata: input.metadata ?? {},
    is_active: input.is_active ?? true,
    ...toDestinationColumns(destination),
    created_at: ctx.now,
    updated_at: ctx.now,
  }
  const params = (input.url_params ?? []).map(({ key, value }): [string, string] => [key, value])
  const rule = toTargetRule(toTargetSource(draft), destinationUrl, params)
  const [slug] = await claimSlugs(tx, ctx.orgId, 'object', [{ id: draft.id, rule }])
  const row = { ...draft, public_slug: slug as string }
  if (!(await insertObject(tx, ctx.orgId, row))) throw await findConflict(tx, ctx.orgId, row, input.gs1_key)
  await replaceLists(tx, ctx, row.id, input)
  if (row.gs1_key !== null)
    await publishTarget(tx, ctx.orgId, gs1TargetKey(ctx.orgId, row.gs1_key), toTargetSource(row))
  const object = toTaggedObject({ ...row, total_scans: 0, last_scanned_at: null }, publicUrl)
  await emit(tx, ctx.orgId, objectEvents, 'object.created', object, ctx.now)
  return object
}

/** Why an object could not be inserted: its GS1 key belongs to another object, or its external id was just taken. */
async function findConflict(
  tx: Tx,
  orgId: OrgId,
  { external_id, gs1_key }: NewObject,
  sentGs1Key: string | null | undefined,
): Promise<Error> {
  const taken = gs1_key === null ? undefined : await selectObjectByGs1Key(tx, orgId, gs1_key)
  const isOurs = external_id !== null && taken?.external_id === external_id
  if (taken === undefined || isOurs) return new ExternalIdJustTaken()
  return new ApiError('conflict', 'Another object already has this gs1_key. Choose another one.', {
    details: { field: 'gs1_key', value: sentGs1Key },
  })
}
