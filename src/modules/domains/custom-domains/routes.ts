import { implement } from '../../../platform/http/index.ts'
import { customDomains } from './contract.ts'
import {
  connectDomain,
  type DomainSettings,
  type DropRoutes,
  disconnectDomain,
  getDomain,
  listDomains,
  updateDomain,
} from './service.ts'
import { verifyDomain } from './verify.ts'

export const customDomainRoutes = (settings: DomainSettings, dropRoutes: DropRoutes) =>
  implement(customDomains, {
    list: (ctx, { query }) => listDomains(ctx, query, settings),
    create: (ctx, { body }) => connectDomain(ctx, body, settings),
    get: (ctx, { params }) => getDomain(ctx, params.id, settings),
    update: (ctx, { params, body }) => updateDomain(ctx, params.id, body, settings),
    delete: (ctx, { params }) => disconnectDomain(ctx, params.id, dropRoutes),
    verify: (ctx, { params }) => verifyDomain(ctx, params.id, settings),
  })
