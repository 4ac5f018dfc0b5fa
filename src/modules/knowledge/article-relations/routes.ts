import { implement } from '../../../platform/http/index.ts'
import { articleRelations } from './contract.ts'
import { createRelation, deleteRelation, listRelations, replaceRelations } from './service.ts'

export const articleRelationRoutes = implement(articleRelations, {
  list: (ctx, { params, query }) => listRelations(ctx, params.id, query),
  replace: (ctx, { params, query, body }) => replaceRelations(ctx, params.id, body, query),
  create: (ctx, { params, body }) => createRelation(ctx, params.id, body),
  delete: (ctx, { params }) => deleteRelation(ctx, params.id, params.related_id),
})
