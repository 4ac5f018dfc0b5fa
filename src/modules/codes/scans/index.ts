export { scanEvents } from './events.ts'
export { scanRoutes } from './routes.ts'
export { listScans, type RecordedScan, type StoredScan, scannedEvent, storeScans } from './service.ts'
export { VisitorSalt } from './visitor-salt.ts'
