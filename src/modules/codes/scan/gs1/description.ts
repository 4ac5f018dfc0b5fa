import { hostOf } from '../../../../platform/http/server/host.ts'
import { domainUrl } from '../../../../platform/http/server/public-url.ts'
import type { Server } from '../../../../platform/http/server/server.ts'
import type { PublicHosts } from '../../../domains/custom-domains/index.ts'
import { PRIMARY_KEYS } from '../../gs1/index.ts'
import { VOCABULARY } from './linkset.ts'
import { CONTEXT_URL, CORS_HEADERS } from './response-headers.ts'

/** What the resolver at this root can do, in the form that the standard prescribes. */
const describe = (resolverRoot: string) => ({
  name: 'Waymark',
  resolverRoot,
  supportedPrimaryKeys: PRIMARY_KEYS,
  supportedLinkType: [{ namespace: VOCABULARY, prefix: 'gs1:' }],
  linkTypeDefaultCanBeLinkset: false,
  jsonLdContextLocation: CONTEXT_URL,
})

/** Serves the resolver description file, by which programs recognise a GS1 resolver, on our own hosts and on custom domains. */
export function mountResolverDescription(server: Server, hosts: PublicHosts, publicUrl: string): void {
  server.route({
    method: ['GET', 'HEAD'],
    url: '/.well-known/gs1resolver',
    config: { operation: 'gs1_resolver' },
    handler: async (request, reply) => {
      const host = hostOf(request.raw)
      const shown = await hosts.find(host)
      if (shown === undefined) return reply.callNotFound()
      for (let at = 0; at < CORS_HEADERS.length; at += 2) reply.header(CORS_HEADERS[at] ?? '', CORS_HEADERS[at + 1])
      const body = JSON.stringify(describe(shown === 'all' ? publicUrl : domainUrl(publicUrl, host)))
      return reply
        .headers({ 'content-type': 'application/json', 'cache-control': 'no-cache', 'x-request-id': request.id })
        .send(request.method === 'HEAD' ? undefined : body)
    },
  })
}
