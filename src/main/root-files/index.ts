import { readFile } from 'node:fs/promises'
import type { Server } from '../../platform/http/server/server.ts'

const DAY_SECONDS = 24 * 60 * 60

/** Search engines may read public pages. Scans say by themselves that they are no pages. */
const ROBOTS = `User-agent: *
Disallow: /account
Disallow: /oauth
Disallow: /v1
`

/** Serves the files that browsers and search engines ask every host for. */
export async function mountRootFiles(server: Server): Promise<void> {
  const icon = await readFile(new URL('./favicon.ico', import.meta.url))
  const files = [
    { url: '/favicon.ico', type: 'image/x-icon', content: icon },
    { url: '/robots.txt', type: 'text/plain; charset=utf-8', content: ROBOTS },
  ]
  for (const { url, type, content } of files) {
    server.route({
      method: ['GET', 'HEAD'],
      url,
      config: { operation: 'root_files' },
      handler: async (request, reply) =>
        reply
          .headers({
            'content-type': type,
            'content-length': content.length,
            'cache-control': `public, max-age=${DAY_SECONDS}`,
            'x-request-id': request.id,
          })
          .send(request.method === 'HEAD' ? undefined : content),
    })
  }
}
