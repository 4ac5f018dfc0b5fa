import { implement } from '../../../platform/http/index.ts'
import { organisationDeletion } from './contract.ts'
import { cancelDeletion, requestDeletion } from './service.ts'

export const organisationDeletionRoutes = implement(organisationDeletion, {
  request: (ctx, { body }) => requestDeletion(ctx, body),
  cancel: (ctx) => cancelDeletion(ctx),
})
