export { scanEvents } from './events.ts'
export { scanRoutes } from './routes.ts'
export { type RecordedScan, type StoredScan, scanHandlers, scannedEvent, storeScans } from './service.ts'
export { VisitorSalt } from './visitor-salt.ts'
