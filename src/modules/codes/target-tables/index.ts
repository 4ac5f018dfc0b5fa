export { type ScanCounters, statusTotals, type TargetColumns, type TargetStatus, targetTable } from './queries.ts'
