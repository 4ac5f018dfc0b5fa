export { openScan, type Scan, signScan } from './attribution.ts'
export { findFacts, type ScannedThing } from './service.ts'
