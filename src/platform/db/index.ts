export { announce, WRITES_TOPIC } from './announcements.ts'
export { deferFlush } from './defer-flush.ts'
export { unlessTaken, whenTaken } from './failures.ts'
export { forStrangers } from './for-strangers.ts'
export { isSqlite, pauseIn } from './is-sqlite.ts'
export { batchesOf } from './statements/batches.ts'
export { compiled, compiledStatement } from './statements/compiled.ts'
export { deleteAssignments, deleteRows } from './statements/delete-rows.ts'
export { EachOf } from './statements/each-of.ts'
export { inRange, type ListOrder } from './statements/filtered-list.ts'
export { forUpdate } from './statements/for-update.ts'
export {
  insertDrawnRows,
  insertMissingRows,
  insertMissingRowsAlone,
  insertRows,
  upsertRows,
} from './statements/insert-rows.ts'
export { lockRow, lockRows } from './statements/lock-row.ts'
export { areFewRanges, inRanges, type ListRanges } from './statements/merged-ranges.ts'
export { olderThan } from './statements/order.ts'
export { runForEach } from './statements/run-for-each.ts'
export { runWithoutResult, type ToFailure } from './statements/run-without-result.ts'
export { containsFolded, foldCase, searchText, sortKey } from './statements/search.ts'
export { columnsExcept, columnsOf, type Row, TABLE_NAMES, withPrefix } from './statements/table-columns.ts'
export { updateRows } from './statements/update-rows.ts'
export { withoutIndex } from './statements/without-index.ts'
export type { Tables } from './tables.generated.ts'
export { lockTotal, selectCombinedTotal, selectTotal, sumOf, totalNamed, totalOf } from './totals.ts'
export type { Database, Db, Listener, Tx } from './types.ts'
