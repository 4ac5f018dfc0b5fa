import type { BodyReader } from '../../../platform/http/bodies/body-reader.ts'
import { SecretCookie } from '../../../platform/http/server/cookies.ts'
import type { Server } from '../../../platform/http/server/server.ts'
import type { Steps } from '../../../platform/jobs/in-steps.ts'
import { LoadedOnce } from '../../../platform/jobs/loaded-once.ts'
import { route } from '../../../platform/pages/index.ts'
import type { AccountPages } from './handler.ts'
import type { AccountServices } from './request-services.ts'
import { SCRIPTS } from './script.ts'

const SCRIPT_HEADERS = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'public, max-age=31536000, immutable',
}

interface MountedAccount {
  pages: LoadedOnce<AccountPages>
  /** What can be loaded before the first request needs it. */
  steps: Steps
}

/** Adds the start page and the account pages to the server. */
export function mountAccount(server: Server, services: AccountServices, bodies: BodyReader): MountedAccount {
  const browserCookie = new SecretCookie('waymark_browser', services.appUrl, 'Lax')
  const stepCookie = new SecretCookie('waymark_step', services.appUrl, 'Strict')
  const host = services.acceptsAnyHost ? undefined : new URL(services.appUrl).host
  // A customer's domain must not look as if one could sign in there.
  const isOurs = (sent: string | undefined) => host === undefined || sent === host
  const pages = new LoadedOnce(async () => {
    const { AccountPages } = await import('./handler.ts')
    return new AccountPages({ ...services, browserCookie, stepCookie }, bodies)
  })
  for (const { path, content } of Object.values(SCRIPTS)) {
    server.get(path, { config: { operation: 'account.script' } }, async (request, reply) => {
      if (!isOurs(request.headers.host)) return reply.callNotFound()
      return reply.headers({ ...SCRIPT_HEADERS, 'x-request-id': request.id }).send(content)
    })
  }
  for (const url of ['/', '/account', '/account/*']) {
    route(server, {
      method: ['GET', 'POST'],
      url,
      operation: 'account',
      respond: async ({ request, requestId }) => {
        if (!isOurs(request.headers.host)) return 'not_found'
        return (await pages.get()).answer(request, requestId)
      },
    })
  }
  const steps = () => [
    () => import('./layout.ts'),
    () => import('./pages/webhooks.ts'),
    () => import('./pages/domains/domain.ts'),
    () => import('./pages/sign-in/sign-in.ts'),
    () => pages.get(),
  ]
  return { pages, steps }
}
