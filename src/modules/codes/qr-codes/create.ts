import type { Tx } from '../../../platform/db/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import { newId } from '../../../platform/ids/index.ts'
import { emitAll } from '../../../platform/outbox/index.ts'
import { type DestinationRef, requireDestinationUrl, settleState } from '../destinations/index.ts'
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

/** Creates all codes or none. */
async function create(tx: Tx, ctx: Context, items: QrCodeCreate[], publicUrl: string): Promise<QrCode[]> {
  const destinationUrls = await requireReferences(tx, ctx, items)
  const drafts = items.map((input) => ({
    id: newId(),
    group_id: input.group_id ?? null,
    name: input.name ?? null,
    description: input.description ?? null,
    ...settleState(input),
    created_at: ctx.now,
    updated_at: ctx.now,
  }))
  const slugs = await claimSlugs(
    tx,
    ctx.orgId,
    'qr_code',
    drafts.map((draft, n) => ({
      id: draft.id,
      rule: toTargetRule(draft, destinationUrls.get(toCacheKey(items[n]?.destination)), []),
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

const toCacheKey = (destination: DestinationRef | null | undefined): string => JSON.stringify(destination ?? null)

/** Looks up each group and destination once: the codes of a batch mostly share them. Returns the destination URLs. */
async function requireReferences(tx: Tx, ctx: Context, items: QrCodeCreate[]) {
  for (const group of new Set(items.map(({ group_id }) => group_id))) await requireOwnGroup(tx, ctx.orgId, group)
  const urls = new Map<string, string | undefined>()
  for (const { destination } of items) {
    const key = toCacheKey(destination)
    if (!urls.has(key)) urls.set(key, await requireDestinationUrl(tx, ctx.orgId, destination))
  }
  return urls
}
