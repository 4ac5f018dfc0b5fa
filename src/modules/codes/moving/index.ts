export { readHistory } from './history.ts'
export { type Destination, type ImportSummary, importForeignCodes } from './import.ts'
export { SOURCE_NAMES, type SourceName } from './sources.ts'
