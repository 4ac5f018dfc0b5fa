import { implement } from '../../../platform/http/index.ts'
import { unanswered } from './contract.ts'
import { deleteUnanswered, deleteUnansweredOf, listUnanswered, listUnansweredOf } from './service.ts'

export const unansweredRoutes = implement(unanswered, {
  list: (ctx, { query, after }) => listUnanswered(ctx, query, after),
  delete: (ctx, { params }) => deleteUnanswered(ctx, params.id),
  listOfChatbot: (ctx, { params, query, after }) => listUnansweredOf(ctx, params.id, query, after),
  deleteOfChatbot: (ctx, { params }) => deleteUnansweredOf(ctx, params.id, params.group_id),
})
