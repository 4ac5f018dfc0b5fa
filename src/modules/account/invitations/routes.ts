import { implement } from '../../../platform/http/index.ts'
import { invitations } from './contract.ts'
import { createInvitation, getInvitation, listInvitations, revokeInvitation } from './service.ts'

export const invitationRoutes = implement(invitations, {
  list: (ctx, { query }) => listInvitations(ctx, query),
  create: (ctx, { body }) => createInvitation(ctx, body),
  get: (ctx, { params }) => getInvitation(ctx, params.id),
  delete: (ctx, { params }) => revokeInvitation(ctx, params.id),
})
