export { type AttemptRow, forgetResponses, insertAttempts } from './attempt-queries.ts'
export { type Backlog, selectBacklog } from './backlog-queries.ts'
export { createDeliveries } from './fan-out-queries.ts'
export { clearLeases, DELIVERY_TABLES_LEFT_OUT, releaseLeases, renewLeases, takeLeases } from './lease-queries.ts'
export {
  type Lane,
  selectDue,
  selectDueOrganisations,
  selectWaiting,
  type WaitingDelivery,
} from './queue-queries.ts'
export { resumeDeliveries } from './replay.ts'
export { webhookDeliveryRoutes } from './routes.ts'
