import { implement } from '../../platform/http/index.ts'
import type { CodeSettings } from '../scan-targets/index.ts'
import { articleSearch } from './contract.ts'
import { listResults } from './service.ts'

export const articleSearchRoutes = (settings: CodeSettings) =>
  implement(articleSearch, {
    list: (ctx, { query }) => listResults(ctx, query, settings),
  })
