import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { chooseEncoding } from '../../../../platform/http/caching/encoding.ts'
import { FixedBody } from '../../../../platform/http/caching/fixed-body.ts'
import type { Server } from '../../../../platform/http/server/server.ts'
import { PROOF_SCRIPT } from '../../../../platform/rate-limit/proof-of-work.ts'
import { TEXTS } from '../texts.ts'

const read = (name: string): string => readFileSync(new URL(`./browser/${name}`, import.meta.url), 'utf8')

/** Removes comments and indentation, and adds a function: other scripts of the page do not see its names. */
const compact = (source: string): string => {
  const lines = source.split('\n').map((line) => line.trim())
  const code = lines.filter((line) => line !== '' && !/^(\/\/|\/?\*)/.test(line)).join('\n')
  return `(()=>{'use strict'\n${code}\n})()`
}

/**
 * The script of the chat. It finds its parts by `data-…` attributes in the page (`pages/chat.ts`), and `data-chat` of the
 * body has what it must know. The policy of the page must allow `connect-src 'self'`, and `img-src blob:` for previews.
 */
export const CHAT_SCRIPT = compact(PROOF_SCRIPT + read('chat.js'))

const widgetTexts = JSON.stringify(
  Object.fromEntries(
    Object.entries(TEXTS).map(([language, { widget }]) => [language, [widget.open, widget.close, widget.unread]]),
  ),
)

/** The script that other sites include. */
export const WIDGET_SCRIPT = compact(read('widget.js')).replace("'{texts}'", () => widgetTexts)

/** No public slug has a dot. */
const SCRIPT_PATH = '/c/chat.js'

/** Changes with the script, so that browsers may cache it. */
export const SCRIPT_URL = `${SCRIPT_PATH}?v=${hash('sha256', CHAT_SCRIPT, 'base64url').slice(0, 12)}`

/** Browsers ask for the script of the widget again after this, because its address never changes. */
const WIDGET_SECONDS = 60 * 60

export function mountScripts(server: Server): void {
  const scripts = [
    { url: SCRIPT_PATH, operation: 'chat.script', text: CHAT_SCRIPT, caching: 'public, max-age=31536000, immutable' },
    { url: '/widget.js', operation: 'chat.widget', text: WIDGET_SCRIPT, caching: `public, max-age=${WIDGET_SECONDS}` },
  ]
  for (const { url, operation, text, caching } of scripts) {
    const body = new FixedBody(Buffer.from(text))
    server.route({
      method: 'GET',
      url,
      config: { operation },
      handler: async (request, reply) => {
        const { encoding, bytes } = await body.in(
          chooseEncoding(request.headers['accept-encoding']),
          server.compression,
        )
        return reply
          .headers({
            'content-type': 'text/javascript; charset=utf-8',
            'cache-control': caching,
            vary: 'accept-encoding',
            // Pages of other sites may load it, also those that require permission for everything.
            'cross-origin-resource-policy': 'cross-origin',
            'access-control-allow-origin': '*',
            ...(encoding !== 'identity' && { 'content-encoding': encoding }),
            'x-request-id': request.id,
          })
          .send(bytes)
      },
    })
  }
}
