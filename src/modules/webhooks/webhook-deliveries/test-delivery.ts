import { noteChange } from '../../../platform/audit/index.ts'
import { toMs } from '../../../platform/clock/index.ts'
import { announce } from '../../../platform/db/index.ts'
import { invalidPayload } from '../../../platform/errors/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import { newIdAt } from '../../../platform/ids/index.ts'
import { EVENTS_TOPIC } from '../../../platform/outbox/index.ts'
import type { EventTypes } from '../event-types/index.ts'
import { requireEndpoint, webhookEvents } from '../webhooks/index.ts'
import type { WebhookDelivery, WebhookTest } from './contract.ts'
import { insertDelivery } from './queries.ts'
import { toWebhookDelivery } from './service.ts'

const TEST_EVENT = 'webhook.test'

/** Queues a delivery without an event. */
export function sendTest(
  ctx: Context,
  endpointId: string,
  { event = TEST_EVENT }: WebhookTest,
  eventTypes: EventTypes,
): Promise<WebhookDelivery> {
  return ctx.write(async (tx) => {
    const endpoint = await requireEndpoint(tx, ctx, endpointId)
    const row = {
      org_id: ctx.orgId,
      endpoint_id: endpointId,
      id: newIdAt(toMs(ctx.now)),
      event_id: null,
      type: event,
      test_payload: event === TEST_EVENT ? testPayload(ctx, endpointId) : sampleOf(eventTypes, event),
      status: 'pending' as const,
      attempt_count: 0,
      next_attempt_at: ctx.now,
      delivered_at: null,
      created_at: ctx.now,
    }
    await insertDelivery(tx, row)
    noteChange(tx, 'webhook_endpoint.tested', { type: 'webhook_endpoint', id: endpointId })
    await announce(tx, EVENTS_TOPIC, [ctx.orgId])
    return toWebhookDelivery(row, endpoint)
  })
}

const testPayload = (ctx: Context, webhook_id: string): object =>
  webhookEvents[TEST_EVENT].payload.parse({
    object: 'webhook_test',
    webhook_id,
    message: 'This is a test. Nothing happened.',
    created_at: ctx.now,
  })

function sampleOf(eventTypes: EventTypes, event: string): object {
  const described = eventTypes().find(({ type }) => type === event)
  if (described === undefined) throw invalidPayload({ event: ['Must be an event type from GET /event-types'] })
  return described.sample
}
