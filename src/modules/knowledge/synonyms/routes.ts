import { implement } from '../../../platform/http/index.ts'
import { synonyms } from './contract.ts'
import { getSynonyms, replaceSynonyms } from './service.ts'

export const synonymRoutes = implement(synonyms, {
  getSynonyms: (ctx, { params }) => getSynonyms(ctx, params.id),
  replaceSynonyms: (ctx, { params, body }) => replaceSynonyms(ctx, params.id, body),
})
