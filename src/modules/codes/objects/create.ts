import { Updated } from '../../../platform/contract/index.ts'
import { lockRow, type Tx } from '../../../platform/db/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import { emit } from '../../../platform/outbox/index.ts'
import { requireDestinationUrl, toDestinationColumns } from '../destinations/index.ts'
import { claimSlugs, toTargetRule } from '../scan-targets/index.ts'
import type { TaggedObject, TaggedObjectCreate } from './contract.ts'
import { objectEvents } from './events.ts'
import { insertObject, type ObjectRow, selectObjectByExternalId } from './queries.ts'
import { changeObject, replaceLists, toTaggedObject, toTargetSource } from './service.ts'

/** Another request made an object with this external id while ours was on its way. */
class Outrun extends Error {}

/** A new object; or, where one has this external id already, that one with what was sent. */
export async function createObject(
  ctx: Context,
  input: TaggedObjectCreate,
  publicUrl: string,
): Promise<TaggedObject | Updated<TaggedObject>> {
  try {
    return await ctx.write(async (tx) => {
      const existing = await lockByExternalId(tx, ctx.orgId, input.external_id)
      if (existing === undefined) return create(tx, ctx, input, publicUrl)
      return new Updated(await changeObject(tx, ctx, existing, input, publicUrl))
    })
  } catch (error) {
    // Everything of ours was rolled back, the slug too. Whoever begins again finds the object of the other.
    if (error instanceof Outrun) return createObject(ctx, input, publicUrl)
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
  // While we waited for the lock, the external id may have gone over to another object.
  return locked === undefined || locked.id === found.id ? locked : lockByExternalId(tx, orgId, externalId)
}

async function create(tx: Tx, ctx: Context, input: TaggedObjectCreate, publicUrl: string): Promise<TaggedObject> {
  const lead = input.destination ?? null
  const address = await requireDestinationUrl(tx, ctx.orgId, lead)
  const draft = {
    id: newId(),
    type: input.type,
    external_id: input.external_id ?? null,
    name: input.name ?? null,
    description: input.description ?? null,
    metadata: input.metadata ?? {},
    is_active: input.is_active ?? true,
    ...toDestinationColumns(lead),
    created_at: ctx.now,
    updated_at: ctx.now,
  }
  const params = (input.url_params ?? []).map(({ key, value }): [string, string] => [key, value])
  const rule = toTargetRule(toTargetSource(draft), address, params)
  const [slug] = await claimSlugs(tx, ctx.orgId, 'object', [{ id: draft.id, rule }])
  const row = { ...draft, public_slug: slug as string }
  if (!(await insertObject(tx, ctx.orgId, row))) throw new Outrun()
  await replaceLists(tx, ctx, row.id, input)
  const object = toTaggedObject({ ...row, total_scans: 0, last_scanned_at: null }, publicUrl)
  await emit(tx, ctx.orgId, objectEvents, 'object.created', object, ctx.now)
  return object
}
