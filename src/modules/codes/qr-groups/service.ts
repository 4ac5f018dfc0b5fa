import type { z } from 'zod'
import { Updated } from '../../../platform/contract/index.ts'
import type { OffsetPage } from '../../../platform/contract/pagination.ts'
import { sentFields } from '../../../platform/contract/sent-fields.ts'
import { ConstraintViolation } from '../../../platform/db/failures.ts'
import { type Db, deleteRows, lockRow, lockRows, type Tx } from '../../../platform/db/index.ts'
import { insertTombstone, notFoundOrGone } from '../../../platform/db/tombstones.ts'
import { type Context, offsetPage } from '../../../platform/http/index.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import { type Changes, changesOf, emit } from '../../../platform/outbox/index.ts'
import type { Changed } from '../create-or-change/index.ts'
import { requireDestination, settleState, toDestination, toDestinationColumns } from '../destinations/index.ts'
import { dropKeyValues, replaceLists } from '../key-values/index.ts'
import { publishTarget, retireTarget, targetKey } from '../scan-targets/index.ts'
import {
  type Cause,
  type ChangedOwner,
  deleteOwnerVersions,
  FIRST_VERSION,
  type Owner,
  recordVersion,
} from '../versions/index.ts'
import type { QrGroup, QrGroupCreate, QrGroupUpdate, qrGroups } from './contract.ts'
import { qrGroupEvents } from './events.ts'
import {
  countGroups,
  EXTERNAL_ID_INDEX,
  insertGroup,
  type QrGroupRow,
  selectGroup,
  selectGroupByExternalId,
  selectGroups,
  updateGroupRow,
} from './queries.ts'

type ListQuery = z.output<typeof qrGroups.list.declared.query>

/** Removes the codes from a group that is about to be deleted. */
export type DetachCodes = (tx: Tx, orgId: OrgId, groupId: string) => Promise<void>

export function listGroups(ctx: Context, query: ListQuery): Promise<OffsetPage<QrGroup>> {
  const { external_id, sort } = query
  return offsetPage(ctx, query, {
    totals: ['qr_groups'],
    count: external_id === undefined ? undefined : (db) => countGroups(db, ctx.orgId, external_id),
    rows: (db, limit, offset) => selectGroups(db, ctx.orgId, { external_id, sort }, limit, offset),
    toItem: toQrGroup,
  })
}

/** Creates a group, or changes the one that already has this external id. */
export async function createGroup(ctx: Context, input: QrGroupCreate): Promise<QrGroup | Updated<QrGroup>> {
  try {
    return await ctx.write(async (tx) => {
      const existing = await lockByExternalId(tx, ctx.orgId, input.external_id)
      return existing === undefined ? create(tx, ctx, input) : new Updated(await applyUpdate(tx, ctx, existing, input))
    })
  } catch (error) {
    const isJustTaken = error instanceof ConstraintViolation && error.constraint === EXTERNAL_ID_INDEX
    // Another request created it after we had looked for it. The next attempt finds it.
    if (isJustTaken) return createGroup(ctx, input)
    throw error
  }
}

async function create(tx: Tx, ctx: Context, input: QrGroupCreate): Promise<QrGroup> {
  const destination = await requireDestination(tx, ctx.orgId, input)
  const row: QrGroupRow = {
    id: newId(),
    external_id: input.external_id ?? null,
    name: input.name,
    description: input.description ?? '',
    ...settleState({ ...input, ...destination }),
    ...FIRST_VERSION,
    qr_code_count: 0,
    created_at: ctx.now,
    updated_at: ctx.now,
  }
  await insertGroup(tx, ctx.orgId, row)
  await replaceLists(tx, ctx, row.id, input)
  await publish(tx, ctx.orgId, row)
  const group = toQrGroup(row)
  await emit(tx, ctx.orgId, qrGroupEvents, 'qr_group.created', group, ctx.now)
  return group
}

export const getGroup = async (ctx: Context, id: string): Promise<QrGroup> =>
  toQrGroup(await requireGroup(ctx.read, ctx.orgId, id))

export const updateGroup = (ctx: Context, id: string, input: QrGroupUpdate): Promise<QrGroup> =>
  ctx.write(async (tx) => applyUpdate(tx, ctx, await lockGroup(tx, ctx.orgId, id), input))

/**
 * Changes groups that exist, with the same effects as a PATCH of each. `decide` sees every group that still exists, locked,
 * and returns what to change, or undefined to leave it alone. Returns the rows that it has returned something for, by their ids.
 */
export async function changeGroups(
  tx: Tx,
  ctx: Context,
  ids: readonly string[],
  decide: (row: QrGroupRow) => QrGroupUpdate | undefined,
): Promise<Map<string, Changed<QrGroupRow>>> {
  const changed = new Map<string, Changed<QrGroupRow>>()
  for (const id of await lockRows(tx, ctx.orgId, 'qr_groups', ids, 'change')) {
    const before = (await selectGroup(tx, ctx.orgId, id)) as QrGroupRow
    const input = decide(before)
    if (input === undefined) continue
    await applyUpdate(tx, ctx, before, input)
    changed.set(id, { before, after: (await selectGroup(tx, ctx.orgId, id)) as QrGroupRow })
  }
  return changed
}

/** Applies a request to a group that is already locked. */
async function applyUpdate(tx: Tx, ctx: Context, row: QrGroupRow, input: QrGroupUpdate): Promise<QrGroup> {
  const { destination: _, description, properties, url_params, ...fields } = input
  const destination = await requireDestination(tx, ctx.orgId, input)
  const after: QrGroupRow = {
    ...row,
    ...sentFields(fields),
    ...(description !== undefined && { description: description ?? '' }),
    ...settleState({ ...input, ...destination }, row),
  }
  const lists = await replaceLists(tx, ctx, row.id, { properties, url_params })
  const group = toQrGroup(row)
  const changes = changesOf({ ...group, ...lists.before }, { ...toQrGroup(after), ...lists.after })
  return changes === undefined ? group : changeGroup(tx, ctx, { before: row, after }, changes)
}

export function deleteGroup(ctx: Context, id: string, detachCodes: DetachCodes): Promise<void> {
  return ctx.writeInPieces(async (tx) => {
    const group = toQrGroup(await lockGroup(tx, ctx.orgId, id))
    await detachCodes(tx, ctx.orgId, id)
    await dropKeyValues(tx, ctx.orgId, id)
    await deleteOwnerVersions(tx, ctx.orgId, id)
    await deleteRows(tx, ctx.orgId, 'qr_groups', [id])
    await insertTombstone(tx, ctx.orgId, 'qr_group', id, ctx.now)
    await retireTarget(tx, ctx.orgId, targetKey('qr_group', id))
    const deleted = { object: 'qr_group', id, deleted: true as const, deleted_at: ctx.now }
    await emit(tx, ctx.orgId, qrGroupEvents, 'qr_group.deleted', deleted, ctx.now, group)
  })
}

export const groupOwner: Owner<QrGroupRow> = {
  kind: 'qr_group',
  require: requireGroup,
  lock: lockGroup,
  toSource: (row) => row,
  withState: (row, { destination, group_id: _, object_id: __, ...state }) => ({
    ...row,
    ...toDestinationColumns(destination),
    ...state,
  }),
  toResource: toQrGroup,
  store: storeGroup,
  change: changeGroup,
}

export const findGroup = selectGroup

async function requireGroup(db: Db, orgId: OrgId, id: string): Promise<QrGroupRow> {
  const row = await selectGroup(db, orgId, id)
  if (row === undefined) throw await notFoundOrGone(db, orgId, 'qr_group', id, 'QR group')
  return row
}

async function lockByExternalId(
  tx: Tx,
  orgId: OrgId,
  externalId: string | null | undefined,
): Promise<QrGroupRow | undefined> {
  if (externalId == null) return undefined
  const found = await selectGroupByExternalId(tx, orgId, externalId)
  if (found === undefined) return undefined
  await lockRow(tx, orgId, 'qr_groups', found.id)
  const locked = await selectGroupByExternalId(tx, orgId, externalId)
  // While we waited for the lock, the external id may have moved to another group.
  return locked === undefined || locked.id === found.id ? locked : lockByExternalId(tx, orgId, externalId)
}

async function lockGroup(tx: Tx, orgId: OrgId, id: string): Promise<QrGroupRow> {
  await lockRow(tx, orgId, 'qr_groups', id)
  return requireGroup(tx, orgId, id)
}

async function storeGroup(tx: Tx, { orgId }: Context, row: QrGroupRow): Promise<void> {
  await updateGroupRow(tx, orgId, row)
  await publish(tx, orgId, row)
}

async function changeGroup(
  tx: Tx,
  ctx: Context,
  { before, after }: ChangedOwner<QrGroupRow>,
  changes: Changes,
  cause?: Cause,
): Promise<QrGroup> {
  const row = await recordVersion(tx, ctx, 'qr_group', { before, after: { ...after, updated_at: ctx.now } }, cause)
  await storeGroup(tx, ctx, row)
  const group = toQrGroup(row)
  await emit(tx, ctx.orgId, qrGroupEvents, 'qr_group.updated', { ...group, changes }, ctx.now)
  return group
}

const publish = (tx: Tx, orgId: OrgId, row: QrGroupRow): Promise<void> =>
  publishTarget(tx, orgId, targetKey('qr_group', row.id), row)

function toQrGroup(row: QrGroupRow): QrGroup {
  const { id, external_id, name, description, status, qr_code_count, created_at, updated_at } = row
  return {
    object: 'qr_group',
    id,
    external_id,
    name,
    description,
    status,
    destination: toDestination(row),
    destination_article_id: row.destination_article_id,
    has_rules: row.rules_version !== null,
    qr_code_count,
    created_at,
    updated_at,
  }
}
