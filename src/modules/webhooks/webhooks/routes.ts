import { implement } from '../../../platform/http/index.ts'
import { webhookOperations } from './contract.ts'
import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  type ResumeDeliveries,
  rotateSecret,
  updateEndpoint,
  type WebhookSettings,
} from './service.ts'

/** `eventTypes` are those that can be subscribed to. */
export const webhookRoutes = (
  eventTypes: readonly string[],
  settings: WebhookSettings,
  resumeDeliveries: ResumeDeliveries,
) =>
  implement(webhookOperations(eventTypes), {
    list: (ctx, { query }) => listEndpoints(ctx, query),
    create: (ctx, { body }) => createEndpoint(ctx, body, settings),
    get: (ctx, { params }) => getEndpoint(ctx, params.id),
    update: (ctx, { params, body }) => updateEndpoint(ctx, params.id, body, settings, resumeDeliveries),
    delete: (ctx, { params }) => deleteEndpoint(ctx, params.id),
    rotateSecret: (ctx, { params, body }) => rotateSecret(ctx, params.id, body, settings),
  })
