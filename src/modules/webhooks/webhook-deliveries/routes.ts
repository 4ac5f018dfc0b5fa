import { implement } from '../../../platform/http/index.ts'
import type { EventTypes } from '../event-types/index.ts'
import { endpointDeliveries, webhookDeliveries } from './contract.ts'
import { replayDeliveries, replayDelivery } from './replay.ts'
import { getDelivery, listDeliveries } from './service.ts'
import { sendTest } from './test-delivery.ts'

export const webhookDeliveryRoutes = (eventTypes: EventTypes) => [
  ...implement(webhookDeliveries, {
    list: (ctx, { params, query, after }) => listDeliveries(ctx, params.id, query, after),
    get: (ctx, { params }) => getDelivery(ctx, params.id, params.delivery_id),
    replay: (ctx, { params }) => replayDelivery(ctx, params.id, params.delivery_id),
  }),
  ...implement(endpointDeliveries, {
    replayDeliveries: (ctx, { params, body }) => replayDeliveries(ctx, params.id, body),
    test: (ctx, { params, body }) => sendTest(ctx, params.id, body, eventTypes),
  }),
]
