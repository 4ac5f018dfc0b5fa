export { findFacts, type ScannedThing } from './service.ts'
