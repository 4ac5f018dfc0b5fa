import { implement } from '../../../platform/http/index.ts'
import { auditLog } from './contract.ts'
import { exportEntries, listEntries } from './service.ts'

export const auditLogRoutes = implement(auditLog, {
  list: (ctx, { query, after }) => listEntries(ctx, query, after),
  export: (ctx, { query }) => exportEntries(ctx, query),
})
