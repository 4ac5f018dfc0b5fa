export { collectChanges, noteChange, noteCreated, noteDeleted, noteUpdated } from './collect.ts'
export { type Actor, insertAuditEntries, withAudit } from './store.ts'
