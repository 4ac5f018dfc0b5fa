import { implement, type PublicUrlOf } from '../../../platform/http/index.ts'
import { knowledgeBases } from './contract.ts'
import {
  createKnowledgeBase,
  deleteKnowledgeBase,
  getKnowledgeBase,
  type IsInUse,
  listKnowledgeBases,
  updateKnowledgeBase,
} from './service.ts'

export const knowledgeBaseRoutes = (publicUrlOf: PublicUrlOf, isInUse: IsInUse) =>
  implement(knowledgeBases, {
    list: async (ctx, { query }) => listKnowledgeBases(ctx, query, await publicUrlOf(ctx.orgId)),
    create: async (ctx, { body }) => createKnowledgeBase(ctx, body, await publicUrlOf(ctx.orgId)),
    get: async (ctx, { params }) => getKnowledgeBase(ctx, params.id, await publicUrlOf(ctx.orgId)),
    update: async (ctx, { params, body }) => updateKnowledgeBase(ctx, params.id, body, await publicUrlOf(ctx.orgId)),
    delete: (ctx, { params }) => deleteKnowledgeBase(ctx, params.id, isInUse),
  })
