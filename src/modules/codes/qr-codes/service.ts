import type { z } from 'zod'
import { externalIdHint } from '../../../platform/contract/index.ts'
import type { OffsetPage } from '../../../platform/contract/pagination.ts'
import { sentFields } from '../../../platform/contract/sent-fields.ts'
import { type Db, lockRow, lockRows, type Tx } from '../../../platform/db/index.ts'
import { insertTombstone, notFoundOrGone } from '../../../platform/db/tombstones.ts'
import { ApiError, unprocessable } from '../../../platform/errors/index.ts'
import { type Context, offsetPage } from '../../../platform/http/index.ts'
import { type OrgId, UUID_PATTERN } from '../../../platform/ids/index.ts'
import { type Changes, changesOf, emit } from '../../../platform/outbox/index.ts'
import { codeFileName } from '../code-images/index.ts'
import { requireDestination, settleState, toDestination, toDestinationColumns } from '../destinations/index.ts'
import { dropKeyValues, replaceLists } from '../key-values/index.ts'
import { findGroup } from '../qr-groups/index.ts'
import {
  type CodeAddress,
  findOwnTarget,
  parseCodeAddress,
  publishTarget,
  retireTarget,
} from '../scan-targets/index.ts'
import { skipsRows, statusTotals } from '../target-tables/index.ts'
import { type Cause, type ChangedOwner, deleteOwnerVersions, type Owner, recordVersion } from '../versions/index.ts'
import { codeKey, codeUrl } from './addresses.ts'
import type { QrCode, QrCodeCreate, QrCodeUpdate, qrCodes } from './contract.ts'
import { qrCodeEvents } from './events.ts'
import { importedColumns, toImported } from './imported.ts'
import {
  clearParent,
  countCodes,
  deleteCodeRow,
  type QrCodeRow,
  selectCode,
  selectCodes,
  selectCodesBySlug,
  updateCodeRow,
} from './queries.ts'

type ListQuery = z.output<typeof qrCodes.list.declared.query>

export function listCodes(ctx: Context, query: ListQuery, publicUrl: string): Promise<OffsetPage<QrCode>> {
  const { status, group_id, object_id, external_id, search, sort } = query
  const filters = { status, group_id, object_id, external_id, search }
  const hasTotal = [group_id, object_id, external_id].every((id) => id === undefined) && !search
  return offsetPage(ctx, query, {
    totals: statusTotals('qr_codes', status),
    count: hasTotal ? undefined : (db) => countCodes(db, ctx.orgId, filters),
    skipsRows: skipsRows(filters, sort),
    rows: (db, limit, offset) => selectCodes(db, ctx.orgId, filters, sort, limit, offset),
    toItem: (row) => toQrCode(row, publicUrl),
  })
}

export const getCode = async (ctx: Context, ref: string, publicUrl: string): Promise<QrCode> =>
  toQrCode(await requireCode(ctx.read, ctx.orgId, ref), publicUrl)

export function updateCode(ctx: Context, ref: string, input: QrCodeUpdate, publicUrl: string): Promise<QrCode> {
  return ctx.write(async (tx) => {
    const row = await lockCode(tx, ctx.orgId, ref)
    const { group_id, properties, url_params } = input
    const destination = await requireDestination(tx, ctx.orgId, input)
    await requireOwnGroup(tx, ctx.orgId, group_id)
    await requireOwnObject(tx, ctx.orgId, input.object_id)
    const after = withInput(row, { ...input, ...destination })
    const lists = await replaceLists(tx, ctx, row.id, { properties, url_params })
    const code = toQrCode(row, publicUrl)
    const changes = changesOf({ ...code, ...lists.before }, { ...toQrCode(after, publicUrl), ...lists.after })
    return changes === undefined ? code : changeCode(tx, ctx, { before: row, after }, changes, publicUrl)
  })
}

/** The row after a request. Its address never changes. */
export function withInput(row: QrCodeRow, input: QrCodeCreate): QrCodeRow {
  const { destination: _, properties: __, url_params: ___, public_slug: ____, domain_id: _____, ...rest } = input
  const { imported, ...fields } = rest
  return { ...row, ...sentFields(fields), ...settleState(input, row), ...importedColumns(imported, row) }
}

export function deleteCode(ctx: Context, ref: string): Promise<void> {
  return ctx.write(async (tx) => {
    const row = await lockCode(tx, ctx.orgId, ref)
    const { id, public_slug, domain_id, name, description, status, group_id, external_id } = row
    await dropKeyValues(tx, ctx.orgId, id)
    await deleteOwnerVersions(tx, ctx.orgId, id)
    await deleteCodeRow(tx, ctx.orgId, id)
    await insertTombstone(tx, ctx.orgId, 'qr_code', id, ctx.now)
    await retireTarget(tx, ctx.orgId, codeKey(ctx.orgId, row))
    const deleted = { object: 'qr_code', id, deleted: true as const, deleted_at: ctx.now }
    await emit(tx, ctx.orgId, qrCodeEvents, 'qr_code.deleted', deleted, ctx.now, {
      public_slug,
      domain_id,
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
  kind: 'qr_code',
  require: requireCode,
  lock: lockCode,
  toSource: (row) => row,
  withState: (row, { destination, ...state }) => ({ ...row, ...toDestinationColumns(destination), ...state }),
  toResource: (row) => toQrCode(row, publicUrl),
  store: storeCode,
  change: (tx, ctx, changed, changes, cause) => changeCode(tx, ctx, changed, changes, publicUrl, cause),
})

/** Keeps the codes of a group that is about to be deleted, without a group. */
export const detachCodes = (tx: Tx, orgId: OrgId, groupId: string): Promise<void> =>
  clearParent(tx, orgId, 'group_id', groupId)

/** The same for an object. */
export const detachCodesOfObject = (tx: Tx, orgId: OrgId, objectId: string): Promise<void> =>
  clearParent(tx, orgId, 'object_id', objectId)

/** Finds a code by its id or address; throws `not_found` or `gone`. */
export async function requireCode(db: Db, orgId: OrgId, ref: string): Promise<QrCodeRow> {
  if (UUID_PATTERN.test(ref)) {
    const row = await selectCode(db, orgId, ref)
    if (row === undefined) throw await notFoundOrGone(db, orgId, 'qr_code', ref, 'QR code')
    return row
  }
  const { slug, domain } = parseCodeAddress(ref) as CodeAddress
  const rows = (await selectCodesBySlug(db, orgId, slug)).filter((row) => domain === undefined || row.domain === domain)
  const [only, other] = rows
  if (other !== undefined) throw new ApiError('not_found', ambiguous(rows))
  if (only !== undefined) return only
  const target = await findOwnTarget(db, orgId, codeKey(orgId, { public_slug: slug, domain: domain ?? null }))
  if (target === undefined) {
    const hint = findByExternalId(ref)
    throw new ApiError('not_found', `There is no QR code with this slug in your organisation. ${hint}.`)
  }
  throw await notFoundOrGone(db, orgId, 'qr_code', target.id, 'QR code')
}

/** Most external ids could be slugs, too. */
const findByExternalId = externalIdHint('/qr-codes', 'a QR code')

/** Not even the oldest of them is meant: the next request may delete it. */
const ambiguous = (rows: readonly QrCodeRow[]): string => {
  const [example] = rows.map(({ domain, public_slug }) => encodeURIComponent(`${domain}/${public_slug}`))
  return `Several domains have a QR code with this slug. Put the domain in front, as in ${example}, or use the id.`
}

async function requireOwnGroup(tx: Tx, orgId: OrgId, groupId: string | null | undefined): Promise<void> {
  if (groupId == null) return
  await lockRow(tx, orgId, 'qr_groups', groupId, 'reference')
  if ((await findGroup(tx, orgId, groupId)) !== undefined) return
  throw unknownGroup(groupId)
}

async function requireOwnObject(tx: Tx, orgId: OrgId, objectId: string | null | undefined): Promise<void> {
  if (objectId == null) return
  const known = await lockRows(tx, orgId, 'objects', [objectId], 'reference')
  if (!known.has(objectId)) throw unknownObject(objectId)
}

export const unknownObject = (objectId: string) =>
  unprocessable('object_id', objectId, 'there is no object with this id in your organisation')

export const unknownGroup = (groupId: string) =>
  unprocessable('group_id', groupId, 'there is no QR group with this id in your organisation')

async function lockCode(tx: Tx, orgId: OrgId, ref: string): Promise<QrCodeRow> {
  const id = UUID_PATTERN.test(ref) ? ref : (await requireCode(tx, orgId, ref)).id
  await lockRow(tx, orgId, 'qr_codes', id)
  return requireCode(tx, orgId, id)
}

async function storeCode(tx: Tx, { orgId }: Context, row: QrCodeRow): Promise<void> {
  await updateCodeRow(tx, orgId, row)
  await publishTarget(tx, orgId, codeKey(orgId, row), row)
}

async function changeCode(
  tx: Tx,
  ctx: Context,
  { before, after }: ChangedOwner<QrCodeRow>,
  changes: Changes,
  publicUrl: string,
  cause?: Cause,
): Promise<QrCode> {
  const row = await recordVersion(tx, ctx, 'qr_code', { before, after: { ...after, updated_at: ctx.now } }, cause)
  await storeCode(tx, ctx, row)
  const code = toQrCode(row, publicUrl)
  await emit(tx, ctx.orgId, qrCodeEvents, 'qr_code.updated', { ...code, changes }, ctx.now)
  return code
}

export function toQrCode(row: QrCodeRow, publicUrl: string): QrCode {
  const { id, group_id, object_id, external_id, public_slug, domain_id, name, description, status } = row
  return {
    object: 'qr_code',
    id,
    group_id,
    object_id,
    external_id,
    public_slug,
    domain_id,
    url: codeUrl(row, publicUrl),
    name,
    description,
    status,
    destination: toDestination(row),
    destination_article_id: row.destination_article_id,
    has_rules: row.rules_version !== null,
    total_scans: row.total_scans,
    imported: toImported(row),
    last_scanned_at: row.last_scanned_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}
