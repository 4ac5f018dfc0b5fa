import { noteChange } from '../../../platform/audit/index.ts'
import { toMs } from '../../../platform/clock/index.ts'
import { announce } from '../../../platform/db/index.ts'
import { invalidPayload } from '../../../platform/errors/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import { firstIdAt } from '../../../platform/ids/index.ts'
import { EVENTS_TOPIC } from '../../../platform/outbox/index.ts'
import { type ResumeDeliveries, requireEndpoint } from '../webhooks/index.ts'
import type { WebhookDelivery, WebhookReplay, WebhookReplayResult } from './contract.ts'
import { updateDeliveryDue } from './queries.ts'
import { updateDeliveriesDue, updateRetriesDue } from './replay-queries.ts'
import { noSuchDelivery, toWebhookDelivery } from './service.ts'

/** Limits how long a request takes, and how long the organisation's other writers wait for it. */
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
  return ctx.writeInPieces(async (tx) => {
    await requireEndpoint(tx, ctx, endpointId)
    noteChange(tx, 'webhook_endpoint.replayed', { type: 'webhook_endpoint', id: endpointId })
    const { updated, hasMore } =
      status === 'pending'
        ? await updateRetriesDue(tx, ctx.orgId, endpointId, requested, ctx.now, BATCH_MAX)
        : await updateDeliveriesDue(tx, ctx.orgId, endpointId, status, requested, ctx.now, BATCH_MAX)
    await announce(tx, EVENTS_TOPIC, [ctx.orgId])
    return { object: 'webhook_replay', replayed: updated, has_more: hasMore }
  })
}

/** Makes retries due now. First attempts are always due. */
export const resumeDeliveries: ResumeDeliveries = async (tx, orgId, endpointId, now) => {
  await updateRetriesDue(tx, orgId, endpointId, undefined, now, BATCH_MAX)
  await announce(tx, EVENTS_TOPIC, [orgId])
}
