export { PublicAddresses } from './public-addresses.ts'
export { customDomainRouteRoutes } from './routes.ts'
export { createRoute, dropRoutesOf } from './service.ts'
export { findShownDomains } from './shown-domains.ts'
