import { implement } from '../../../platform/http/index.ts'
import { credits } from './contract.ts'
import { type Credits, listEntries } from './service.ts'

export const creditRoutes = (service: Pick<Credits, 'getBalance'>) =>
  implement(credits, {
    getBalance: (ctx) => service.getBalance(ctx),
    listEntries: (ctx, { query, after }) => listEntries(ctx, query, after),
  })
