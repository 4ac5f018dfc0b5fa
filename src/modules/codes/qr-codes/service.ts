import type { z } from 'zod'
import type { OffsetPage } from '../../../platform/contract/pagination.ts'
import { sentFields } from '../../../platform/contract/sent-fields.ts'
import { type Db, lockRow, type Tx } from '../../../platform/db/index.ts'
import { insertTombstone, notFoundOrGone } from '../../../platform/db/tombstones.ts'
import { ApiError, unprocessable } from '../../../platform/errors/index.ts'
import { type Context, offsetPage } from '../../../platform/http/index.ts'
import { type OrgId, UUID_PATTERN } from '../../../platform/ids/index.ts'
import { type Changes, changesOf, emit } from '../../../platform/outbox/index.ts'
import { codeFileName } from '../code-images/index.ts'
import { requireDestination, settleState, toDestination } from '../destinations/index.ts'
import { dropKeyValues, type Owner, replaceLists } from '../key-values/index.ts'
import { findGroup } from '../qr-groups/index.ts'
import { findOwnTarget, publishTarget, retireTarget, targetKey } from '../scan-targets/index.ts'
import { statusTotals } from '../target-tables/index.ts'
import type { QrCode, QrCodeCreate, qrCodes } from './contract.ts'
import { qrCodeEvents } from './events.ts'
import {
  clearGroup,
  countCodes,
  deleteCodeRow,
  type QrCodeRow,
  selectCode,
  selectCodeBySlug,
  selectCodes,
  updateCodeRow,
} from './queries.ts'

type ListQuery = z.output<typeof qrCodes.list.declared.query>

export function listCodes(ctx: Context, query: ListQuery, publicUrl: string): Promise<OffsetPage<QrCode>> {
  const { status, group_id, external_id, search, sort } = query
  const filters = { status, group_id, external_id, search }
  const hasTotal = group_id === undefined && external_id === undefined && !search
  return offsetPage(ctx, query, {
    totals: statusTotals('qr_codes', status),
    count: hasTotal ? undefined : (db) => countCodes(db, ctx.orgId, filters),
    rows: (db, limit, offset) => selectCodes(db, ctx.orgId, filters, sort, limit, offset),
    toItem: (row) => toQrCode(row, publicUrl),
  })
}

export const getCode = async (ctx: Context, ref: string, publicUrl: string): Promise<QrCode> =>
  toQrCode(await requireCode(ctx.read, ctx.orgId, ref), publicUrl)

export function updateCode(ctx: Context, ref: string, input: QrCodeCreate, publicUrl: string): Promise<QrCode> {
  return ctx.write(async (tx) => {
    const row = await lockCode(tx, ctx.orgId, ref)
    const { group_id, properties, url_params } = input
    const destination = await requireDestination(tx, ctx.orgId, input)
    await requireOwnGroup(tx, ctx.orgId, group_id)
    const after = withInput(row, { ...input, ...destination })
    const lists = await replaceLists(tx, ctx, row.id, { properties, url_params })
    const code = toQrCode(row, publicUrl)
    const changes = changesOf({ ...code, ...lists.before }, { ...toQrCode(after, publicUrl), ...lists.after })
    return changes === undefined ? code : changeCode(tx, ctx, after, changes, publicUrl)
  })
}

/** The row after a request. */
export function withInput(row: QrCodeRow, input: QrCodeCreate): QrCodeRow {
  const { destination: _, properties: __, url_params: ___, ...fields } = input
  return { ...row, ...sentFields(fields), ...settleState(input, row) }
}

export function deleteCode(ctx: Context, ref: string): Promise<void> {
  return ctx.write(async (tx) => {
    const { id, public_slug, name, description, status, group_id, external_id } = await lockCode(tx, ctx.orgId, ref)
    await dropKeyValues(tx, ctx.orgId, id)
    await deleteCodeRow(tx, ctx.orgId, id)
    await insertTombstone(tx, ctx.orgId, 'qr_code', id, ctx.now)
    await retireTarget(tx, ctx.orgId, targetKey('qr_code', public_slug))
    const deleted = { object: 'qr_code', id, deleted: true as const, deleted_at: ctx.now }
    await emit(tx, ctx.orgId, qrCodeEvents, 'qr_code.deleted', deleted, ctx.now, {
      public_slug,
      name,
      description,
      status,
      group_id,
      external_id,
    })
  })
}

export async function getCodeImageSource(ctx: Context, ref: string, publicUrl: string) {
  const { id, public_slug, url, name } = await getCode(ctx, ref, publicUrl)
  return { url, owner: { qr_code_id: id, public_slug }, fileName: codeFileName(name, public_slug) }
}

export const codeOwner = (publicUrl: string): Owner<QrCodeRow> => ({
  propertyObject: 'qr_code_property',
  require: requireCode,
  lock: lockCode,
  changed: (tx, ctx, row, changes) => changeCode(tx, ctx, row, changes, publicUrl),
})

/** Keeps the codes of a group that is about to be deleted, without a group. */
export const detachCodes = clearGroup

/** Finds a code by its id or slug; throws `not_found` or `gone`. */
export async function requireCode(db: Db, orgId: OrgId, ref: string): Promise<QrCodeRow> {
  if (UUID_PATTERN.test(ref)) {
    const row = await selectCode(db, orgId, ref)
    if (row === undefined) throw await notFoundOrGone(db, orgId, 'qr_code', ref, 'QR code')
    return row
  }
  const row = await selectCodeBySlug(db, orgId, ref)
  if (row !== undefined) return row
  const target = await findOwnTarget(db, orgId, targetKey('qr_code', ref))
  if (target === undefined) throw new ApiError('not_found', 'There is no QR code with this slug in your organisation.')
  throw await notFoundOrGone(db, orgId, 'qr_code', target.id, 'QR code')
}

async function requireOwnGroup(tx: Tx, orgId: OrgId, groupId: string | null | undefined): Promise<void> {
  if (groupId == null) return
  await lockRow(tx, orgId, 'qr_groups', groupId, 'reference')
  if ((await findGroup(tx, orgId, groupId)) !== undefined) return
  throw unknownGroup(groupId)
}

export const unknownGroup = (groupId: string) =>
  unprocessable('group_id', groupId, 'there is no QR group with this id in your organisation')

async function lockCode(tx: Tx, orgId: OrgId, ref: string): Promise<QrCodeRow> {
  const { id } = await requireCode(tx, orgId, ref)
  await lockRow(tx, orgId, 'qr_codes', id)
  return requireCode(tx, orgId, id)
}

async function changeCode(
  tx: Tx,
  ctx: Context,
  changed: QrCodeRow,
  changes: Changes,
  publicUrl: string,
): Promise<QrCode> {
  const row = { ...changed, updated_at: ctx.now }
  await updateCodeRow(tx, ctx.orgId, row)
  await publishTarget(tx, ctx.orgId, targetKey('qr_code', row.public_slug), row)
  const code = toQrCode(row, publicUrl)
  await emit(tx, ctx.orgId, qrCodeEvents, 'qr_code.updated', { ...code, changes }, ctx.now)
  return code
}

export function toQrCode(row: QrCodeRow, publicUrl: string): QrCode {
  const { id, group_id, external_id, public_slug, name, description, status, total_scans, last_scanned_at } = row
  return {
    object: 'qr_code',
    id,
    group_id,
    external_id,
    public_slug,
    url: `${publicUrl}/${public_slug}`,
    name,
    description,
    status,
    destination: toDestination(row),
    destination_article_id: row.destination_article_id,
    total_scans,
    last_scanned_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}
