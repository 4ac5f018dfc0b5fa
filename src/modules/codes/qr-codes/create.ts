import type { Tx } from '../../../platform/db/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import { newId } from '../../../platform/ids/index.ts'
import { emitAll } from '../../../platform/outbox/index.ts'
import {
  type DestinationRef,
  requireDestinationUrl,
  settleStatus,
  toDestinationColumns,
} from '../destinations/index.ts'
import { claimSlugs, toTargetRule } from '../scan-targets/index.ts'
import type { QrCode, QrCodeBatch, QrCodeCreate, QrCodes } from './contract.ts'
import { qrCodeEvents } from './events.ts'
import { insertCodes } from './queries.ts'
import { requireOwnGroup, toQrCode } from './service.ts'

export const createCode = (ctx: Context, input: QrCodeCreate, publicUrl: string): Promise<QrCode> =>
  ctx.write(async (tx) => (await create(tx, ctx, [input], publicUrl))[0] as QrCode)

export const createCodes = (ctx: Context, input: QrCodeBatch, publicUrl: string): Promise<QrCodes> =>
  ctx.write(async (tx) => ({ object: 'list', data: await create(tx, ctx, toItems(input), publicUrl) }))

function toItems({ count = 0, name_prefix, items, ...shared }: QrCodeBatch): QrCodeCreate[] {
  const name = (n: number) => (name_prefix === undefined ? {} : { name: `${name_prefix} ${n + 1}` })
  return items ?? Array.from({ length: count }, (_, n) => ({ ...name(n), ...shared }))
}

/** All or none: they are one transaction. */
async function create(tx: Tx, ctx: Context, items: QrCodeCreate[], publicUrl: string): Promise<QrCode[]> {
  const addresses = await requireReferences(tx, ctx, items)
  const drafts = items.map((input) => {
    const lead = input.destination ?? null
    return {
      id: newId(),
      group_id: input.group_id ?? null,
      name: input.name ?? null,
      description: input.description ?? null,
      status: settleStatus({ status: 'unconfigured', lead: null }, { status: input.status, lead }),
      ...toDestinationColumns(lead),
      created_at: ctx.now,
      updated_at: ctx.now,
    }
  })
  const slugs = await claimSlugs(
    tx,
    ctx.orgId,
    'qr_code',
    drafts.map((draft, n) => ({
      id: draft.id,
      rule: toTargetRule(draft, addresses.get(keyOf(items[n]?.destination)), []),
    })),
  )
  const rows = drafts.map((draft, n) => ({ ...draft, public_slug: slugs[n] as string }))
  await insertCodes(tx, ctx.orgId, rows)
  const codes = rows.map((row) => toQrCode({ ...row, total_scans: 0, last_scanned_at: null }, publicUrl))
  await emitAll(
    tx,
    qrCodeEvents,
    codes.map((payload) => ({ orgId: ctx.orgId, type: 'qr_code.created' as const, payload })),
    ctx.now,
  )
  return codes
}

const keyOf = (lead: DestinationRef | null | undefined): string => JSON.stringify(lead ?? null)

/** Looks up each group and destination once: a thousand codes mostly share them. Answers the addresses. */
async function requireReferences(tx: Tx, ctx: Context, items: QrCodeCreate[]) {
  for (const group of new Set(items.map(({ group_id }) => group_id))) await requireOwnGroup(tx, ctx.orgId, group)
  const addresses = new Map<string, string | undefined>()
  for (const { destination } of items) {
    const key = keyOf(destination)
    if (!addresses.has(key)) addresses.set(key, await requireDestinationUrl(tx, ctx.orgId, destination))
  }
  return addresses
}
