import type { BodyReader } from '../../../platform/http/bodies/body-reader.ts'
import { chooseEncoding } from '../../../platform/http/caching/encoding.ts'
import { FixedBody } from '../../../platform/http/caching/fixed-body.ts'
import { SecretCookie } from '../../../platform/http/server/cookies.ts'
import type { Server } from '../../../platform/http/server/server.ts'
import type { Steps } from '../../../platform/jobs/in-steps.ts'
import { LoadedOnce } from '../../../platform/jobs/loaded-once.ts'
import { route } from '../../../platform/pages/index.ts'
import type { AccountPages } from './handler.ts'
import type { AccountServices } from './request-services.ts'
import { SCRIPTS } from './script.ts'
import { STYLE, STYLE_PATH } from './style.ts'

/** The same for everybody, so they are always compressed. */
const FILES = [
  { path: STYLE_PATH, content: STYLE, type: 'text/css; charset=utf-8' },
  ...Object.values(SCRIPTS).map(({ path, content }) => ({ path, content, type: 'text/javascript; charset=utf-8' })),
]

const FILE_HEADERS = { 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' }

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
    return new AccountPages({ ...services, browserCookie, stepCookie }, bodies, server.compression)
  })
  for (const { path, content, type } of FILES) {
    const file = new FixedBody(Buffer.from(content))
    server.get(path, { config: { operation: 'account.file' } }, async (request, reply) => {
      if (!isOurs(request.headers.host)) return reply.callNotFound()
      const { encoding, bytes } = await file.in(chooseEncoding(request.headers['accept-encoding']), server.compression)
      if (encoding !== 'identity') reply.header('content-encoding', encoding)
      return reply.headers({ ...FILE_HEADERS, 'content-type': type, 'x-request-id': request.id }).send(bytes)
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
