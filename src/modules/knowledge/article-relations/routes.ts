import { implement, type PublicUrlOf } from '../../../platform/http/index.ts'
import { articleRelations } from './contract.ts'
import { createRelation, deleteRelation, listRelations, replaceRelations } from './service.ts'

export const articleRelationRoutes = (publicUrlOf: PublicUrlOf) =>
  implement(articleRelations, {
    list: (ctx, { params, query }) => listRelations(ctx, params.id, query),
    replace: async (ctx, { params, query, body }) =>
      replaceRelations(ctx, params.id, body, query, await publicUrlOf(ctx.orgId)),
    create: async (ctx, { params, body }) => createRelation(ctx, params.id, body, await publicUrlOf(ctx.orgId)),
    delete: async (ctx, { params }) => deleteRelation(ctx, params.id, params.related_id, await publicUrlOf(ctx.orgId)),
  })
