export { type History, readHistory } from './history.ts'
export { type Destination, type ImportOptions, type ImportSummary, importForeignCodes } from './import.ts'
export { SOURCE_NAMES, type SourceName } from './sources.ts'
