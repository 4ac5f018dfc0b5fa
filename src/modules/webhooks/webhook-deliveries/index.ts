export {
  type AttemptRow,
  clearLeases,
  insertAttempts,
  type Lane,
  releaseLeases,
  renewLeases,
  selectDueOrganisations,
  selectWaiting,
  selectWaitingLanes,
  takeLeases,
  type WaitingDelivery,
} from './queue.ts'
export { resumeDeliveries } from './replay.ts'
export { webhookDeliveryRoutes } from './routes.ts'
