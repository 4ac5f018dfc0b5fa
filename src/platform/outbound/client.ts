import http from 'node:http'
import https from 'node:https'
import { networkInterfaces } from 'node:os'
import { isPublicAddress } from './address-rules.ts'
import { exchange, type OutboundAnswer, type OutboundRequest } from './exchange.ts'
import { guardedLookup } from './guarded-lookup.ts'
import { OutboundError } from './outbound-error.ts'
import { createResolver } from './resolver.ts'
import { checkOutboundUrl, type OutboundUrlRules } from './url-rules.ts'

export interface OutboundOptions extends OutboundUrlRules {
  /** Name servers to ask, each `address:port`; without any, the system's. */
  dnsServers?: readonly string[]
  /** Asked for every connection, because a machine's addresses change while it runs. */
  ownAddresses?: () => readonly string[]
}

/** The only way to an address that a customer gave us. */
export interface OutboundClient {
  request(url: string, request: OutboundRequest): Promise<OutboundAnswer>
  /** Breaks off what is under way. */
  close(): void
}

/** Common servers close an idle connection after 5 s or more; who closes first cannot lose a request to the other. */
const IDLE_MS = 4_000

export function createOutboundClient({
  dnsServers = [],
  ownAddresses = machineAddresses,
  ...rules
}: OutboundOptions): OutboundClient {
  const resolver = createResolver(dnsServers)
  const checked = guardedLookup(resolver.resolve, (address) => isPublicAddress(address, ownAddresses()))
  const unchecked = guardedLookup(resolver.resolve, () => true)
  const sockets = { keepAlive: true, timeout: IDLE_MS, autoSelectFamily: true }
  // An environment variable of Node's could switch the check of certificates off, had we not said it here.
  const secureSockets = { ...sockets, rejectUnauthorized: true }
  // An agent opens a socket only through its look-up, and reuses it only for the host that it was opened for.
  // What development exempts has agents of its own, so that this one cannot hold a socket that was not checked.
  const guarded = new https.Agent({ ...secureSockets, lookup: checked })
  const exemptHttps = new https.Agent({ ...secureSockets, lookup: unchecked })
  const exemptHttp = new http.Agent({ ...sockets, lookup: unchecked })
  return {
    async request(text, request) {
      const result = checkOutboundUrl(text, rules)
      if ('complaint' in result) throw new OutboundError('refused_url', result.complaint)
      const { url, isExempt } = result
      const exempt = url.protocol === 'https:' ? exemptHttps : exemptHttp
      return exchange(url, isExempt ? exempt : guarded, request)
    },
    close() {
      for (const agent of [guarded, exemptHttps, exemptHttp]) agent.destroy()
      resolver.close()
    },
  }
}

const machineAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address))
