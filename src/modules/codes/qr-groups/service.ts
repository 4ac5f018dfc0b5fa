import type { z } from 'zod'
import type { OffsetPage } from '../../../platform/contract/pagination.ts'
import { sentFields } from '../../../platform/contract/sent-fields.ts'
import { type Db, lockRow, type Tx } from '../../../platform/db/index.ts'
import { insertTombstone, notFoundOrGone } from '../../../platform/db/tombstones.ts'
import { type Context, offsetPage } from '../../../platform/http/index.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import { type Changes, changesOf, emit } from '../../../platform/outbox/index.ts'
import { requireDestinationUrl, settleState, toDestination } from '../destinations/index.ts'
import { dropKeyValues, type Owner } from '../key-values/index.ts'
import { publishTarget, retireTarget, targetKey } from '../scan-targets/index.ts'
import type { QrGroup, QrGroupCreate, QrGroupUpdate, qrGroups } from './contract.ts'
import { qrGroupEvents } from './events.ts'
import { deleteGroupRow, insertGroup, type QrGroupRow, selectGroup, selectGroups, updateGroupRow } from './queries.ts'

type ListQuery = z.output<typeof qrGroups.list.declared.query>

/** Removes the codes from a group that is about to be deleted. */
export type DetachCodes = (tx: Tx, orgId: OrgId, groupId: string) => Promise<void>

export function listGroups(ctx: Context, query: ListQuery): Promise<OffsetPage<QrGroup>> {
  return offsetPage(ctx, query, {
    totals: ['qr_groups'],
    count: undefined,
    rows: (db, limit, offset) => selectGroups(db, ctx.orgId, query.sort, limit, offset),
    toItem: toQrGroup,
  })
}

export function createGroup(ctx: Context, input: QrGroupCreate): Promise<QrGroup> {
  return ctx.write(async (tx) => {
    await requireDestinationUrl(tx, ctx.orgId, input.destination)
    const row: QrGroupRow = {
      id: newId(),
      name: input.name,
      description: input.description ?? '',
      ...settleState(input),
      qr_code_count: 0,
      created_at: ctx.now,
      updated_at: ctx.now,
    }
    await insertGroup(tx, ctx.orgId, row)
    await publish(tx, ctx.orgId, row)
    const group = toQrGroup(row)
    await emit(tx, ctx.orgId, qrGroupEvents, 'qr_group.created', group, ctx.now)
    return group
  })
}

export const getGroup = async (ctx: Context, id: string): Promise<QrGroup> =>
  toQrGroup(await requireGroup(ctx.read, ctx.orgId, id))

export function updateGroup(ctx: Context, id: string, input: QrGroupUpdate): Promise<QrGroup> {
  return ctx.write(async (tx) => {
    const row = await lockGroup(tx, ctx.orgId, id)
    const { destination, status, description, ...fields } = input
    await requireDestinationUrl(tx, ctx.orgId, destination)
    const after: QrGroupRow = {
      ...row,
      ...sentFields(fields),
      ...(description !== undefined && { description: description ?? '' }),
      ...settleState({ destination, status }, row),
    }
    const group = toQrGroup(row)
    const changes = changesOf(group, toQrGroup(after))
    return changes === undefined ? group : changeGroup(tx, ctx, after, changes)
  })
}

export function deleteGroup(ctx: Context, id: string, detachCodes: DetachCodes): Promise<void> {
  return ctx.write(async (tx) => {
    const group = toQrGroup(await lockGroup(tx, ctx.orgId, id))
    await detachCodes(tx, ctx.orgId, id)
    await dropKeyValues(tx, ctx.orgId, id)
    await deleteGroupRow(tx, ctx.orgId, id)
    await insertTombstone(tx, ctx.orgId, 'qr_group', id, ctx.now)
    await retireTarget(tx, ctx.orgId, targetKey('qr_group', id))
    const deleted = { object: 'qr_group', id, deleted: true as const, deleted_at: ctx.now }
    await emit(tx, ctx.orgId, qrGroupEvents, 'qr_group.deleted', deleted, ctx.now, group)
  })
}

export const groupOwner: Owner<QrGroupRow> = {
  propertyObject: 'qr_group_property',
  require: requireGroup,
  lock: lockGroup,
  changed: changeGroup,
}

export const findGroup = selectGroup

async function requireGroup(db: Db, orgId: OrgId, id: string): Promise<QrGroupRow> {
  const row = await selectGroup(db, orgId, id)
  if (row === undefined) throw await notFoundOrGone(db, orgId, 'qr_group', id, 'QR group')
  return row
}

async function lockGroup(tx: Tx, orgId: OrgId, id: string): Promise<QrGroupRow> {
  await lockRow(tx, orgId, 'qr_groups', id)
  return requireGroup(tx, orgId, id)
}

async function changeGroup(tx: Tx, ctx: Context, changed: QrGroupRow, changes: Changes): Promise<QrGroup> {
  const row = { ...changed, updated_at: ctx.now }
  await updateGroupRow(tx, ctx.orgId, row)
  await publish(tx, ctx.orgId, row)
  const group = toQrGroup(row)
  await emit(tx, ctx.orgId, qrGroupEvents, 'qr_group.updated', { ...group, changes }, ctx.now)
  return group
}

const publish = (tx: Tx, orgId: OrgId, row: QrGroupRow): Promise<void> =>
  publishTarget(tx, orgId, targetKey('qr_group', row.id), row)

function toQrGroup(row: QrGroupRow): QrGroup {
  const { id, name, description, status, qr_code_count, created_at, updated_at } = row
  const destination = toDestination(row)
  return { object: 'qr_group', id, name, description, status, destination, qr_code_count, created_at, updated_at }
}
