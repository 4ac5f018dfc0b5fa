import { implement } from '../../../platform/http/index.ts'
import { webhookOperations } from './contract.ts'
import { rotateSecret } from './rotate-secret.ts'
import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  type ResumeDeliveries,
  updateEndpoint,
  type WebhookSettings,
} from './service.ts'

/** `eventTypes` are the types that endpoints can subscribe to, with their meaning. */
export const webhookRoutes = (
  eventTypes: Readonly<Record<string, string>>,
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
