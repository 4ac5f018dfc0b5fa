import { implement, type PublicUrlOf } from '../../../platform/http/index.ts'
import { articleSearch } from './contract.ts'
import { listResults } from './service.ts'

export const articleSearchRoutes = (publicUrlOf: PublicUrlOf) =>
  implement(articleSearch, {
    search: async (ctx, { query }) => listResults(ctx, query, await publicUrlOf(ctx.orgId)),
  })
