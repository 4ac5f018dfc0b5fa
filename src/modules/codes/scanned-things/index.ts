export { type AttributedScan, openScan, signScan } from './attribution.ts'
export { findFacts, type ScannedThing } from './service.ts'
