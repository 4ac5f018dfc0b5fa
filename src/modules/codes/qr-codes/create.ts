import { Updated } from '../../../platform/contract/index.ts'
import { lockRows, type Tx } from '../../../platform/db/index.ts'
import type { ApiError } from '../../../platform/errors/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import {
  createOrChange,
  createOrChangeAll,
  createOrChangeSame,
  type ItemPlan,
  type Kind,
} from '../create-or-change/index.ts'
import { settleState } from '../destinations/index.ts'
import { claimSlugs, targetKey } from '../scan-targets/index.ts'
import type { QrCode, QrCodeBatch, QrCodeCreate, QrCodes } from './contract.ts'
import { qrCodeEvents } from './events.ts'
import { insertCodes, lockCodesBy, type QrCodeRow, selectCodesBy, updateCodeRows } from './queries.ts'
import { toQrCode, unknownGroup, withInput } from './service.ts'

/** Creates a code, or changes the one that already has this external id. */
export const createCode = (ctx: Context, input: QrCodeCreate, publicUrl: string): Promise<QrCode | Updated<QrCode>> =>
  createOrChange(ctx, codeKind(publicUrl), input)

/** All codes or none. */
export function createCodes(ctx: Context, input: QrCodeBatch, publicUrl: string): Promise<QrCodes | Updated<QrCodes>> {
  const { count, name_prefix, items, ...shared } = input
  const toList = (data: QrCode[]): QrCodes => ({ object: 'list', data })
  if (items === undefined) {
    const name = (n: number) => (name_prefix === undefined ? {} : { name: `${name_prefix} ${n + 1}` })
    const same = Array.from({ length: count ?? 0 }, (_, n) => ({ ...name(n), ...shared }))
    return createOrChangeSame(ctx, codeKind(publicUrl), same, (done) => toList(done.map(({ resource }) => resource)))
  }
  return createOrChangeAll(ctx, codeKind(publicUrl), items, (done) => {
    const list = toList(done.map(({ resource }) => resource))
    return done.some(({ result }) => result === 'created') ? list : new Updated(list)
  })
}

const codeKind = (publicUrl: string): Kind<QrCodeCreate, QrCodeRow, QrCode> => ({
  object: 'qr_code',
  events: qrCodeEvents,
  keyField: 'external_id',
  uniqueIndexes: ['qr_codes_org_external_id_key'],
  rows: { selectAllBy: selectCodesBy, lockAllBy: lockCodesBy },
  normalise: (input) => input,
  toNewRow: (input, id, now) => ({
    id,
    group_id: input.group_id ?? null,
    external_id: input.external_id ?? null,
    public_slug: '',
    name: input.name ?? null,
    description: input.description ?? null,
    ...settleState(input),
    created_at: now,
    updated_at: now,
    total_scans: 0,
    last_scanned_at: null,
  }),
  change: withInput,
  toResource: (row) => toQrCode(row, publicUrl),
  toSource: (row) => row,
  check: findUnknownGroups,
  async claim(tx, orgId, drafts) {
    const slugs = await claimSlugs(
      tx,
      orgId,
      'qr_code',
      drafts.map(({ row: { id }, rule }) => ({ id, rule })),
    )
    return drafts.map(({ row }, n) => ({ ...row, public_slug: slugs[n] as string }))
  },
  insert: insertCodes,
  update: updateCodeRows,
  claimedKeys: ({ public_slug }) => [targetKey('qr_code', public_slug)],
  otherKeys: () => [],
})

/** Locks the groups that items name, so that none is deleted before the codes are in it. */
async function findUnknownGroups(tx: Tx, orgId: OrgId, plans: readonly ItemPlan<QrCodeCreate, QrCodeRow>[]) {
  const ids = new Set(plans.flatMap(({ input }) => input.group_id ?? []))
  const known = await lockRows(tx, orgId, 'qr_groups', [...ids], 'reference')
  const errors = new Map<number, ApiError>()
  for (const { index, input } of plans) {
    if (input.group_id != null && !known.has(input.group_id)) errors.set(index, unknownGroup(input.group_id))
  }
  return errors
}
