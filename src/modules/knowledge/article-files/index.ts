export { type ExportSummary, exportArticles } from './export.ts'
export { type ImportOptions, type ImportSummary, importArticles } from './import.ts'
