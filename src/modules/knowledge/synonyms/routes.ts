import { implement } from '../../../platform/http/index.ts'
import { synonyms } from './contract.ts'
import { getSynonyms, putSynonyms } from './service.ts'

export const synonymRoutes = implement(synonyms, {
  get: (ctx, { params }) => getSynonyms(ctx, params.id),
  put: (ctx, { params, body }) => putSynonyms(ctx, params.id, body),
})
