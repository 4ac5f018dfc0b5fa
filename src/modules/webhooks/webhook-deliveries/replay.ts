import { noteChange } from '../../../platform/audit/index.ts'
import { type Timestamp, toMs } from '../../../platform/clock/index.ts'
import { announce, type Tx } from '../../../platform/db/index.ts'
import { invalidPayload } from '../../../platform/errors/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import { firstIdAt, type OrgId } from '../../../platform/ids/index.ts'
import { EVENTS_TOPIC } from '../../../platform/outbox/index.ts'
import { type ResumeDeliveries, requireEndpoint } from '../webhooks/index.ts'
import type { WebhookDelivery, WebhookReplay, WebhookReplayResult } from './contract.ts'
import { updateDeliveryDue } from './queries.ts'
import {
  type IdRange,
  selectIdAfter,
  selectRetryAfter,
  updateDeliveriesDue,
  updateRetriesDue,
} from './replay-queries.ts'
import { noSuchDelivery, toWebhookDelivery } from './service.ts'

/** Limits how long one transaction blocks other writers. */
const BATCH_MAX = 10_000

export function replayDelivery(ctx: Context, endpointId: string, id: string): Promise<WebhookDelivery> {
  return ctx.write(async (tx) => {
    const endpoint = await requireEndpoint(tx, ctx, endpointId)
    const row = await updateDeliveryDue(tx, ctx.orgId, endpointId, id, ctx.now)
    if (row === undefined) throw noSuchDelivery()
    noteChange(tx, 'webhook_delivery.replayed', { type: 'webhook_delivery', id })
    await announce(tx, EVENTS_TOPIC, [ctx.orgId])
    return toWebhookDelivery(row, endpoint)
  })
}

export async function replayDeliveries(
  ctx: Context,
  endpointId: string,
  { from, to = ctx.now, status }: WebhookReplay,
): Promise<WebhookReplayResult> {
  if (toMs(from) >= toMs(to)) throw invalidPayload({ to: ['Must be later than from'] })
  const requested = { from: firstIdAt(toMs(from)), before: firstIdAt(toMs(to)) }
  return ctx.write(async (tx) => {
    await requireEndpoint(tx, ctx, endpointId)
    noteChange(tx, 'webhook_endpoint.replayed', { type: 'webhook_endpoint', id: endpointId })
    if (status === 'pending') {
      const { updated, hasMore } = await bringForward(tx, ctx.orgId, endpointId, requested, ctx.now)
      return { object: 'webhook_replay', replayed: updated, has_more: hasMore }
    }
    const next = await selectIdAfter(tx, ctx.orgId, endpointId, status, requested, BATCH_MAX)
    const range = { ...requested, before: next?.id ?? requested.before }
    const replayed = await updateDeliveriesDue(tx, ctx.orgId, endpointId, status, range, ctx.now)
    await announce(tx, EVENTS_TOPIC, [ctx.orgId])
    return { object: 'webhook_replay', replayed, has_more: next !== undefined }
  })
}

export const resumeDeliveries: ResumeDeliveries = async (tx, orgId, endpointId, now) => {
  await bringForward(tx, orgId, endpointId, undefined, now)
}

/** Makes retries due now. First attempts are always due. */
async function bringForward(tx: Tx, orgId: OrgId, endpointId: string, range: IdRange | undefined, now: Timestamp) {
  const next = await selectRetryAfter(tx, orgId, endpointId, range, now, BATCH_MAX)
  const updated = await updateRetriesDue(tx, orgId, endpointId, range, next, now)
  await announce(tx, EVENTS_TOPIC, [orgId])
  return { updated, hasMore: next !== undefined }
}
