import { implement } from '../../platform/http/index.ts'
import type { CodeSettings } from '../scan-targets/index.ts'
import { knowledgeBases } from './contract.ts'
import {
  createKnowledgeBase,
  deleteKnowledgeBase,
  getKnowledgeBase,
  type IsInUse,
  listKnowledgeBases,
  updateKnowledgeBase,
} from './service.ts'

export const knowledgeBaseRoutes = (settings: CodeSettings, isInUse: IsInUse) =>
  implement(knowledgeBases, {
    list: (ctx, { query }) => listKnowledgeBases(ctx, query, settings),
    create: (ctx, { body }) => createKnowledgeBase(ctx, body, settings),
    get: (ctx, { params }) => getKnowledgeBase(ctx, params.id, settings),
    update: (ctx, { params, body }) => updateKnowledgeBase(ctx, params.id, body, settings),
    delete: (ctx, { params }) => deleteKnowledgeBase(ctx, params.id, isInUse),
  })
