import type { BodyReader } from '../../platform/http/body-reader.ts'
import { SecretCookie } from '../../platform/http/cookies.ts'
import type { Server } from '../../platform/http/server.ts'
import { AccountPages } from './handler.ts'
import type { AccountServices } from './site.ts'

/** Adds the start page and the account pages to the server. */
export function mountAccount(server: Server, services: AccountServices, bodies: BodyReader): AccountPages {
  const browserCookie = new SecretCookie('waymark_browser', services.appUrl, 'Lax')
  const host = services.acceptsAnyHost ? undefined : new URL(services.appUrl).host
  const pages = new AccountPages({ ...services, browserCookie }, bodies)
  for (const url of ['/', '/account', '/account/*']) {
    server.route({
      method: ['GET', 'POST'],
      url,
      config: { operation: 'account' },
      handler: async (request, reply) => {
        // A customer's domain must not look as if one could sign in there.
        if (host !== undefined && request.headers.host !== host) return reply.callNotFound()
        const { status, headers, body, operation } = await pages.answer(request.raw, request.id)
        request.routeOptions.config.operation = operation
        return reply
          .code(status)
          .headers({ ...headers, 'x-request-id': request.id })
          .send(body)
      },
    })
  }
  return pages
}
