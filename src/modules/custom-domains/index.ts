export { customDomainEvents } from './events.ts'
export { customDomainRoutes } from './routes.ts'
export type { DomainSettings } from './service.ts'
