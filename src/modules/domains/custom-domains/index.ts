export { customDomainEvents } from './events.ts'
export { customDomainRoutes } from './routes.ts'
export { DOMAINS_TOPIC, type DomainSettings, findVerifiedDomains } from './service.ts'
