export { scanEvents } from './events.ts'
export { recountScans } from './insert-scans.ts'
export { SCAN_TABLES_LEFT_OUT } from './queries.ts'
export { scanRoutes } from './routes.ts'
export { parseScanText, SCAN_VERSION, splitScanText, toScanTexts } from './scan-texts.ts'
export {
  type RecordedScan,
  type StoredScan,
  scanHandlers,
  scannedEvent,
  storeScans,
  storeScanTexts,
} from './service.ts'
export { hashVisitor } from './visitor-hash.ts'
export { VisitorSalt } from './visitor-salt.ts'
