import { startDomainChecks } from '../../modules/domains/checks/index.ts'
import { findShownDomains, PublicAddresses } from '../../modules/domains/custom-domain-routes/index.ts'
import { PublicHosts } from '../../modules/domains/custom-domains/index.ts'
import { HostRouter, mountTlsAsk } from '../../modules/domains/hosts/index.ts'
import { createDnsClient } from '../../platform/dns/index.ts'
import { createVerification, domainTargetsOf } from '../domain-verification.ts'
import { ownHostsOf } from '../own-hosts.ts'
import type { Ground } from './ground.ts'
import type { MailGroup } from './mail.ts'

export function wireDomains(ground: Ground, { mails }: MailGroup) {
  const { config, database, limiter, server, clock, log, metrics, shutdown } = ground
  const { publicUrl, acceptsAnyHost } = config
  const ownHosts = ownHostsOf(config)
  const addresses = new PublicAddresses(database, publicUrl, clock)
  metrics.watchBudget('public_addresses', addresses)
  shutdown.atLast(() => addresses.close())
  const dns = createDnsClient(config.outbound.dnsServers)
  shutdown.atFirst(() => dns.close())
  let hosts: PublicHosts | undefined
  const verification = createVerification(config, { dns, limiter, mails })
  return {
    addresses,
    settings: { targets: domainTargetsOf(config), ownHosts, verification },

    /** Knows what each host shows, for everything that visitors meet. Opened with its first use. */
    openHosts(): PublicHosts {
      if (hosts !== undefined) return hosts
      const rules = { ownHosts, acceptsAnyHost }
      const opened = new PublicHosts(database, rules, (db, names) => findShownDomains(db, names, publicUrl), clock)
      metrics.watchBudget('public_hosts', opened)
      shutdown.atLast(() => opened.close())
      hosts = opened
      return opened
    },

    /** Returns what decides about the host of a request. Adds what a proxy asks about hosts. */
    createHostRouter(hosts: PublicHosts, handlers: ConstructorParameters<typeof HostRouter>[2]): HostRouter {
      mountTlsAsk(server, hosts, config.trustProxy)
      return new HostRouter(hosts, server, handlers, log)
    },

    startWork: () => shutdown.atLast(startDomainChecks({ ...ground, verification })),
  }
}

export type DomainGroup = ReturnType<typeof wireDomains>
