import { implement } from '../../../platform/http/index.ts'
import { ownership } from './contract.ts'
import { cancelDeletion, requestDeletion } from './service.ts'

export const ownershipRoutes = implement(ownership, {
  requestDeletion: (ctx, { body }) => requestDeletion(ctx, body),
  cancelDeletion: (ctx) => cancelDeletion(ctx),
})
