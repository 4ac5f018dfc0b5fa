import { implement } from '../../../platform/http/index.ts'
import { articleSearch } from './contract.ts'
import { listResults } from './service.ts'

export const articleSearchRoutes = (publicUrl: string) =>
  implement(articleSearch, {
    list: (ctx, { query }) => listResults(ctx, query, publicUrl),
  })
