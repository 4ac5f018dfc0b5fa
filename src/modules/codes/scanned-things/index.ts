export { countPropertyLengths, selectPropertiesOf as readProperties } from '../key-values/index.ts'
export { type AttributedScan, openScan, SCAN_PARAMETER, signScan } from './attribution.ts'
export { findFacts, findName, findShownThing, type ScannedThing, type ThingName } from './service.ts'
