import { implement } from '../../../platform/http/index.ts'
import { apiKeys } from './contract.ts'
import { createOwnKey, getKey, listKeys, pauseKey, renameKey, resumeKey, revokeKey } from './service.ts'

export const apiKeyRoutes = implement(apiKeys, {
  list: (ctx, { query }) => listKeys(ctx, query),
  create: (ctx, { body }) => createOwnKey(ctx, body),
  get: (ctx, { params }) => getKey(ctx, params.id),
  update: (ctx, { params, body }) => renameKey(ctx, params.id, body),
  pause: (ctx, { params }) => pauseKey(ctx, params.id),
  resume: (ctx, { params }) => resumeKey(ctx, params.id),
  revoke: (ctx, { params }) => revokeKey(ctx, params.id),
})
