export { announceDomains, DOMAIN_OWNERS_TOPIC } from './announce-domains.ts'
export { apexOf } from './domain-name.ts'
export { customDomainEvents } from './events.ts'
export { domainMails } from './mails.ts'
export { type HostRules, PublicHosts, type ShownDomain, type ShownRoute } from './public-hosts.ts'
export { customDomainRoutes } from './routes.ts'
export {
  connectDomain,
  countDomains,
  type DomainSettings,
  findDomains,
  findPrimaryDomains,
  findVerifiedDomains,
  listAllDomains,
  lockReferencedDomain,
} from './service.ts'
export { DOMAINS_TOPIC, type DomainTargets } from './stored-domain.ts'
export { LOSE_AFTER_MS } from './verification.ts'
export { type ClaimedDomain, findDueOrganisation, Verification } from './verify.ts'
