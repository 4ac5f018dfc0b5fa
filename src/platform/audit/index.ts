export { type AuditedChange, collectChanges, noteChange, noteCreated, noteDeleted, noteUpdated } from './collect.ts'
export { type Actor, insertAuditEntries, SYSTEM, withAudit } from './store.ts'
