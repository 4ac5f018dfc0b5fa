import { implement } from '../../../platform/http/index.ts'
import { connectedApplications } from './contract.ts'
import { type CleanUpAfterGrant, disconnectApplication, listApplications } from './service.ts'

export const connectedApplicationRoutes = (cleanUp: CleanUpAfterGrant) =>
  implement(connectedApplications, {
    list: (ctx, { query }) => listApplications(ctx, query),
    delete: (ctx, { params }) => disconnectApplication(ctx, params.id, cleanUp),
  })
