export { countPropertyLengths, selectPropertiesOf as readProperties } from '../key-values/index.ts'
export { type AttributedScan, openScan, signScan } from './attribution.ts'
export { findFacts, findName, type ScannedThing, type ThingName } from './service.ts'
