export { webhookEvents } from './events.ts'
export { type DeliveryEndpoint, disableEndpoint, loadEndpoints, noteFailures, noteSuccess } from './health.ts'
export { webhookRoutes } from './routes.ts'
export {
  ENDPOINTS_TOPIC,
  type ResumeDeliveries,
  requireEndpoint,
  type WebhookSettings,
} from './service.ts'
export { findSubscribedTypes, SUBSCRIPTIONS_TOPIC } from './subscriptions.ts'
