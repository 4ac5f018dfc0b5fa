export { customDomainEvents } from './events.ts'
export { type HostRules, PublicHosts } from './public-hosts.ts'
export { customDomainRoutes } from './routes.ts'
export { DOMAINS_TOPIC, type DomainSettings, findVerifiedDomains } from './service.ts'
