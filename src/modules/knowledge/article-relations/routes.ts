import { implement } from '../../../platform/http/index.ts'
import { articleRelations } from './contract.ts'
import { addRelation, deleteRelation, listRelations, putRelations } from './service.ts'

export const articleRelationRoutes = implement(articleRelations, {
  list: (ctx, { params, query }) => listRelations(ctx, params.id, query),
  put: (ctx, { params, query, body }) => putRelations(ctx, params.id, body, query),
  add: (ctx, { params, body }) => addRelation(ctx, params.id, body),
  delete: (ctx, { params }) => deleteRelation(ctx, params.id, params.related_id),
})
