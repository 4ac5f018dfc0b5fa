import { implement } from '../../../platform/http/index.ts'
import { scans } from './contract.ts'
import { listScans } from './service.ts'

export const scanRoutes = implement(scans, {
  list: (ctx, { query, after }) => listScans(ctx, undefined, query, after),
})
