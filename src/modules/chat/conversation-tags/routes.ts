import { implement } from '../../../platform/http/index.ts'
import { conversationTags } from './contract.ts'
import { createTag, deleteTag, getTag, listTags } from './service.ts'

export const conversationTagRoutes = implement(conversationTags, {
  list: (ctx, { query }) => listTags(ctx, query),
  create: (ctx, { body }) => createTag(ctx, body),
  get: (ctx, { params }) => getTag(ctx, params.id),
  delete: (ctx, { params }) => deleteTag(ctx, params.id),
})
