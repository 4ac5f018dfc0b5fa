import { implement } from '../../../platform/http/index.ts'
import { customDomains } from './contract.ts'
import { connectDomain, type DomainSettings, disconnectDomain, getDomain, listDomains } from './service.ts'

export const customDomainRoutes = (settings: DomainSettings) =>
  implement(customDomains, {
    list: (ctx, { query }) => listDomains(ctx, query, settings),
    create: (ctx, { body }) => connectDomain(ctx, body, settings),
    get: (ctx, { params }) => getDomain(ctx, params.id, settings),
    delete: (ctx, { params }) => disconnectDomain(ctx, params.id),
  })
