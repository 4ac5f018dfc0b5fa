import { type DomainTargets, Verification } from '../modules/domains/custom-domains/index.ts'
import type { Mails } from '../modules/mail/mails/index.ts'
import type { DnsClient } from '../platform/dns/index.ts'
import type { RateLimiter } from '../platform/rate-limit/index.ts'
import type { Config } from './config.ts'

/** Without DOMAIN_CNAME, domains point to the host of public addresses. */
export const domainTargetsOf = ({ domainTargets, publicUrl }: Config): DomainTargets => ({
  ...domainTargets,
  cname: (domainTargets.cname ?? new URL(publicUrl).hostname).toLowerCase().replace(/\.$/, ''),
})

export const createVerification = (
  config: Config,
  { dns, limiter, mails }: { dns: DnsClient; limiter: RateLimiter; mails: Mails },
): Verification => new Verification({ dns, limiter, mails, targets: domainTargetsOf(config) })
