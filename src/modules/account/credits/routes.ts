import { implement } from '../../../platform/http/index.ts'
import { credits } from './contract.ts'
import { getBalance, listEntries } from './service.ts'

export const creditRoutes = implement(credits, {
  getBalance: (ctx) => getBalance(ctx),
  listEntries: (ctx, { query, after }) => listEntries(ctx, query, after),
})
