export { type ScanCounters, skipsRows, statusTotals, targetTable } from './queries.ts'
