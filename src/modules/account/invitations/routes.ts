import { implement } from '../../../platform/http/index.ts'
import type { Route } from '../../../platform/http/pipeline/routes.ts'
import { invitations } from './contract.ts'
import { createInvitation, getInvitation, type InvitationSender, listInvitations, revokeInvitation } from './service.ts'

export const invitationRoutes = (mails: InvitationSender): Route[] =>
  implement(invitations, {
    list: (ctx, { query }) => listInvitations(ctx, query),
    create: (ctx, { body }) => createInvitation(ctx, body, mails),
    get: (ctx, { params }) => getInvitation(ctx, params.id),
    delete: (ctx, { params }) => revokeInvitation(ctx, params.id),
  })
