import { implement, pageOf } from '../../../platform/http/index.ts'
import { ROLES, roles } from './contract.ts'

export const roleRoutes = implement(roles, {
  list: async (_ctx, { query }) => pageOf(ROLES, query, (role) => role),
})
