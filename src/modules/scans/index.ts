export { scanEvents } from './events.ts'
export { scanRoutes } from './routes.ts'
export {
  findScanSubscriptions,
  listScans,
  type RecordedScan,
  type StoredScan,
  SUBSCRIPTIONS_TOPIC,
  storeScans,
} from './service.ts'
export { VisitorSalt } from './visitor-salt.ts'
