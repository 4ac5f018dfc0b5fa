import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import { http } from '../http/node-http.ts'
import { isPublicAddress, machineAddresses } from './address-rules.ts'
import { type DownloadRequest, exchange, type OutboundRequest } from './exchange.ts'
import { guardedLookup } from './guarded-lookup.ts'
import { OutboundError } from './outbound-error.ts'
import { isListedAddress } from './private-hosts.ts'
import { collect, type OutboundDownload, type OutboundResponse, stream } from './receive.ts'
import { createResolver } from './resolver.ts'
import { checkOutboundUrl, type OutboundUrlRules } from './url-rules.ts'

export interface OutboundOptions extends OutboundUrlRules {
  /** Name servers, each `address:port`. Defaults to those of the system. */
  dnsServers?: readonly string[]
  /** Called for every connection, because the addresses of a machine can change while it runs. */
  ownAddresses?: () => readonly string[]
}

/** The only HTTP client for URLs that customers provide. */
export interface OutboundClient {
  /** Use it for small responses: their body is held in memory. */
  request(url: string, request: OutboundRequest): Promise<OutboundResponse>
  /** Use it for large responses. Passes the body to `save` while it arrives, and returns the result of `save`. */
  download<T>(url: string, request: DownloadRequest, save: (download: OutboundDownload) => Promise<T>): Promise<T>
  /** Aborts the requests that are in flight. */
  close(): void
}

/** Common servers close an idle connection after 5 s or more. We close first, so no request hits a closing socket. */
const IDLE_MS = 4_000

export function createOutboundClient({
  dnsServers = [],
  ownAddresses = machineAddresses,
  ...rules
}: OutboundOptions): OutboundClient {
  const resolver = createResolver(dnsServers)
  const privateHosts = new Map(rules.privateHosts?.map((host) => [host.name, host]))
  const checked = guardedLookup(resolver.resolve, (address, name) => {
    const host = privateHosts.get(name)
    // A private host must be at its own addresses, so that DNS cannot point it to another part of the network.
    return host === undefined
      ? isPublicAddress(address, ownAddresses())
      : isListedAddress(host, address, ownAddresses())
  })
  const unchecked = guardedLookup(resolver.resolve, () => true)
  const sockets = { keepAlive: true, timeout: IDLE_MS, autoSelectFamily: true }
  // Set explicitly, so that NODE_TLS_REJECT_UNAUTHORIZED cannot disable the check of certificates.
  const secureSockets = { ...sockets, rejectUnauthorized: true }
  // An agent opens a socket only through its lookup and reuses it only for the same host. Hosts that are exempt in
  // development have their own agents, so that `guarded` never holds an unchecked socket.
  const guarded = new https.Agent({ ...secureSockets, lookup: checked })
  const exemptHttps = new https.Agent({ ...secureSockets, lookup: unchecked })
  const exemptHttp = new http.Agent({ ...sockets, lookup: unchecked })
  const send = <T>(text: string, request: DownloadRequest, receive: (response: IncomingMessage) => Promise<T>) => {
    const result = checkOutboundUrl(text, rules)
    if ('problem' in result) throw new OutboundError('refused_url', result.problem)
    const { url, isExempt } = result
    const exempt = url.protocol === 'https:' ? exemptHttps : exemptHttp
    return exchange(url, isExempt ? exempt : guarded, request, receive)
  }
  return {
    async request(url, request) {
      return send(url, request, (response) => collect(response, request))
    },
    async download(url, request, save) {
      return send(url, request, (response) => stream(response, request, save))
    },
    close() {
      for (const agent of [guarded, exemptHttps, exemptHttp]) agent.destroy()
      resolver.close()
    },
  }
}
