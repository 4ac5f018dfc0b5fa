import { implement } from '../../../platform/http/index.ts'
import { knowledgeBases } from './contract.ts'
import {
  createKnowledgeBase,
  deleteKnowledgeBase,
  getKnowledgeBase,
  type IsInUse,
  listKnowledgeBases,
  updateKnowledgeBase,
} from './service.ts'

export const knowledgeBaseRoutes = (publicUrl: string, isInUse: IsInUse) =>
  implement(knowledgeBases, {
    list: (ctx, { query }) => listKnowledgeBases(ctx, query, publicUrl),
    create: (ctx, { body }) => createKnowledgeBase(ctx, body, publicUrl),
    get: (ctx, { params }) => getKnowledgeBase(ctx, params.id, publicUrl),
    update: (ctx, { params, body }) => updateKnowledgeBase(ctx, params.id, body, publicUrl),
    delete: (ctx, { params }) => deleteKnowledgeBase(ctx, params.id, isInUse),
  })
