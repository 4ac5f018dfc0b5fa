export { type ScanCounters, statusTotals, targetTable } from './queries.ts'
