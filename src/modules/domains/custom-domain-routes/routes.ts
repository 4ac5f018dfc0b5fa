import { implement } from '../../../platform/http/index.ts'
import type { IsCentrePart } from './code-domains.ts'
import { customDomainRoutes } from './contract.ts'
import { createRoute, deleteRoute, getRoute, listRoutes, updateRoute } from './service.ts'

export const customDomainRouteRoutes = (publicUrl: string, isCentrePart: IsCentrePart) =>
  implement(customDomainRoutes, {
    list: (ctx, { query }) => listRoutes(ctx, query, publicUrl),
    create: (ctx, { body }) => createRoute(ctx, body, { publicUrl, isCentrePart }),
    get: (ctx, { params }) => getRoute(ctx, params.id, publicUrl),
    update: (ctx, { params, body }) => updateRoute(ctx, params.id, body, publicUrl),
    delete: (ctx, { params }) => deleteRoute(ctx, params.id, publicUrl),
  })
