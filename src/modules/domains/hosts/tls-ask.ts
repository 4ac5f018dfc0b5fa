import type { IncomingMessage } from 'node:http'
import { proxyMatcher } from '../../../platform/http/server/client-address.ts'
import type { Server } from '../../../platform/http/server/server.ts'
import type { PublicHosts } from '../custom-domains/index.ts'

const LOOPBACK = proxyMatcher('127.0.0.0/8,::1')
/** Longer names cannot exist in DNS. */
const NAME = /^[a-z0-9.-]{3,253}$/

/**
 * `GET /internal/tls-ask?domain=`: a proxy asks whether it may get a certificate for a name. 200 if visitors are met
 * under it, 404 if not. Anybody but the proxy gets 404: otherwise, visitors could find out which names are connected.
 */
export function mountTlsAsk(server: Server, hosts: PublicHosts, trustProxy: boolean | string): void {
  const isProxy = proxyMatcher(trustProxy)
  server.get('/internal/tls-ask', { config: { operation: 'tls_ask' } }, async (request, reply) => {
    const { domain } = request.query as { domain?: unknown }
    const name = typeof domain === 'string' ? domain.toLowerCase().replace(/\.$/, '') : ''
    const mayAsk = isDirect(request.raw, (address) => LOOPBACK(address) || isProxy(address))
    const isServed = mayAsk && NAME.test(name) && (await hosts.isServed(name))
    return reply
      .code(isServed ? 200 : 404)
      .headers({ 'x-request-id': request.id, 'cache-control': 'no-store' })
      .send()
  })
}

/** A request of the proxy itself. Those that it forwards have a header with the address of the visitor. */
const isDirect = ({ socket, headers }: IncomingMessage, mayAsk: (address: string) => boolean): boolean =>
  mayAsk(socket.remoteAddress ?? '') && headers['x-forwarded-for'] === undefined && headers.forwarded === undefined
