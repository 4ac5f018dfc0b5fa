export { scanEvents } from './events.ts'
export { recountScans } from './insert-queries.ts'
export { countScansOf, SCAN_TABLES_LEFT_OUT } from './queries.ts'
export { scanRoutes } from './routes.ts'
export {
  parseScanText,
  type RecordedScan,
  SCAN_VERSION,
  type StoredScan,
  splitScanText,
  toScanTexts,
} from './scan-texts.ts'
export {
  scanHandlers,
  scannedEvent,
  storeScans,
  storeScanTexts,
} from './service.ts'
export { hashVisitor } from './visitor-hash.ts'
export { VisitorSalt } from './visitor-salt.ts'
