import type { z } from 'zod'
import type { OffsetPage } from '../../../platform/contract/pagination.ts'
import { type Db, lockRow, selectTotal, type Tx, totalOf } from '../../../platform/db/index.ts'
import { bury, missing } from '../../../platform/db/tombstones.ts'
import { type Context, offsetPage } from '../../../platform/http/index.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import { changesOf, emit } from '../../../platform/outbox/index.ts'
import {
  requireDestinationUrl,
  settleStatus,
  toDestination,
  toDestinationColumns,
  toDestinationRef,
} from '../destinations/index.ts'
import { dropKeyValues, type Owner } from '../key-values/index.ts'
import { publishTarget, retireTarget, targetKey } from '../scan-targets/index.ts'
import type { QrGroup, QrGroupCreate, QrGroupUpdate, qrGroups } from './contract.ts'
import { qrGroupEvents } from './events.ts'
import { deleteGroupRow, insertGroup, type QrGroupRow, selectGroup, selectGroups, updateGroupRow } from './queries.ts'

type ListQuery = z.output<typeof qrGroups.list.declared.query>

/** What has to be done to the codes of a group that is about to be deleted. */
export type DetachCodes = (tx: Tx, orgId: OrgId, groupId: string) => Promise<void>

export async function listGroups(ctx: Context, query: ListQuery): Promise<OffsetPage<QrGroup>> {
  const { data, total } = await offsetPage(ctx, query, {
    totals: ['qr_groups'],
    count: undefined,
    rows: (db, limit, offset) => selectGroups(db, ctx.orgId, query.sort, limit, offset),
    toItem: (row) => row,
  })
  return { data: await Promise.all(data.map((row) => toQrGroup(ctx.read, ctx.orgId, row))), total }
}

export function createGroup(ctx: Context, input: QrGroupCreate): Promise<QrGroup> {
  return ctx.write(async (tx) => {
    const lead = input.destination ?? null
    await requireDestinationUrl(tx, ctx.orgId, lead)
    const row: QrGroupRow = {
      id: newId(),
      name: input.name,
      description: input.description ?? '',
      status: settleStatus({ status: 'unconfigured', lead: null }, { status: input.status, lead }),
      ...toDestinationColumns(lead),
      created_at: ctx.now,
      updated_at: ctx.now,
    }
    await insertGroup(tx, ctx.orgId, row)
    await publish(tx, ctx.orgId, row)
    const group = await toQrGroup(tx, ctx.orgId, row)
    await emit(tx, ctx.orgId, qrGroupEvents, 'qr_group.created', group, ctx.now)
    return group
  })
}

export async function getGroup(ctx: Context, id: string): Promise<QrGroup> {
  return toQrGroup(ctx.read, ctx.orgId, await requireGroup(ctx.read, ctx.orgId, id))
}

export function updateGroup(ctx: Context, id: string, input: QrGroupUpdate): Promise<QrGroup> {
  return ctx.write(async (tx) => {
    const row = await lockGroup(tx, ctx.orgId, id)
    const { destination: lead, status } = input
    await requireDestinationUrl(tx, ctx.orgId, lead)
    const wanted: QrGroupRow = {
      ...row,
      name: input.name ?? row.name,
      description: input.description === undefined ? row.description : (input.description ?? ''),
      status: settleStatus({ status: row.status, lead: toDestinationRef(row) }, { status, lead }),
      ...(lead !== undefined && toDestinationColumns(lead)),
    }
    const before = await toQrGroup(tx, ctx.orgId, row)
    const after = { ...(await toQrGroup(tx, ctx.orgId, wanted)), updated_at: ctx.now }
    const changes = changesOf(before, after)
    if (changes === undefined) return before
    await updateGroupRow(tx, ctx.orgId, { ...wanted, updated_at: ctx.now })
    await publish(tx, ctx.orgId, wanted)
    await emit(tx, ctx.orgId, qrGroupEvents, 'qr_group.updated', { ...after, changes }, ctx.now)
    return after
  })
}

export function deleteGroup(ctx: Context, id: string, detachCodes: DetachCodes): Promise<void> {
  return ctx.write(async (tx) => {
    await lockGroup(tx, ctx.orgId, id)
    await detachCodes(tx, ctx.orgId, id)
    await dropKeyValues(tx, ctx.orgId, id)
    await deleteGroupRow(tx, ctx.orgId, id)
    await bury(tx, ctx.orgId, 'qr_group', id, ctx.now)
    await retireTarget(tx, ctx.orgId, targetKey('qr_group', id))
    const deleted = { object: 'qr_group', id, deleted: true as const, deleted_at: ctx.now }
    await emit(tx, ctx.orgId, qrGroupEvents, 'qr_group.deleted', deleted, ctx.now)
  })
}

/** Its lists change it, too. */
export const groupOwner: Owner = {
  propertyObject: 'qr_group_property',
  require: async (db, orgId, id) => (await requireGroup(db, orgId, id)).id,
  lock: async (tx, orgId, id) => (await lockGroup(tx, orgId, id)).id,
  changed: async (tx, ctx, id, changes) => {
    const row = { ...(await requireGroup(tx, ctx.orgId, id)), updated_at: ctx.now }
    await updateGroupRow(tx, ctx.orgId, row)
    await publish(tx, ctx.orgId, row)
    const group = await toQrGroup(tx, ctx.orgId, row)
    await emit(tx, ctx.orgId, qrGroupEvents, 'qr_group.updated', { ...group, changes }, ctx.now)
  },
}

export const findGroup = selectGroup

async function requireGroup(db: Db, orgId: OrgId, id: string): Promise<QrGroupRow> {
  const row = await selectGroup(db, orgId, id)
  if (row === undefined) throw await missing(db, orgId, 'qr_group', id)
  return row
}

async function lockGroup(tx: Tx, orgId: OrgId, id: string): Promise<QrGroupRow> {
  await lockRow(tx, orgId, 'qr_groups', id)
  return requireGroup(tx, orgId, id)
}

const publish = (tx: Tx, orgId: OrgId, row: QrGroupRow): Promise<void> =>
  publishTarget(tx, orgId, targetKey('qr_group', row.id), row)

async function toQrGroup(db: Db, orgId: OrgId, row: QrGroupRow): Promise<QrGroup> {
  const { id, name, description, status, created_at, updated_at } = row
  const qr_code_count = await selectTotal(db, orgId, totalOf('qr_codes', 'group_id', id))
  const destination = toDestination(row)
  return { object: 'qr_group', id, name, description, status, destination, qr_code_count, created_at, updated_at }
}
