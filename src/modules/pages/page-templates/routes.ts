import { implement, pageOf } from '../../../platform/http/index.ts'
import { pageTemplates } from './contract.ts'
import { getTemplateById } from './service.ts'
import { listTemplates } from './templates.ts'

export const pageTemplateRoutes = implement(pageTemplates, {
  list: async (_ctx, { query }) =>
    pageOf([...listTemplates().values()], query, ({ blocks: _, ...template }) => template),
  get: async (_ctx, { params }) => getTemplateById(params.id),
})
