import type { ServerResponse } from 'node:http'
import { ClientLeft } from '../../../../platform/http/server/client-left.ts'
import { recordReply } from '../../../../platform/http/server/record-reply.ts'
import type { Server } from '../../../../platform/http/server/server.ts'
import { FEEDBACK_PATH } from '../pages/feedback.ts'
import { FeedbackHandler, type FeedbackServices } from './handler.ts'

export type { FeedbackServices } from './handler.ts'

/** Adds to the server what visitors send from the pages of articles. */
export function mountFeedback(server: Server, services: FeedbackServices): void {
  const handler = new FeedbackHandler(services)
  server.route({
    method: 'POST',
    url: '/kb/:slug/*',
    config: { operation: 'help_centre.feedback' },
    handler: async (request, reply) => {
      const { slug = '', '*': path = '' } = request.params as { slug?: string; '*'?: string }
      if (!path.endsWith(`/${FEEDBACK_PATH}`)) return reply.callNotFound()
      const { status, headers, body } = await handler.receive({
        request: request.raw,
        publicSlug: slug,
        path: path.slice(0, -FEEDBACK_PATH.length),
        language: new URLSearchParams(request.url.split('?')[1]).get('language') ?? '',
        signal: signalOf(reply.raw),
      })
      recordReply(request, status)
      return reply
        .code(status)
        .headers({ ...headers, 'x-request-id': request.id })
        .send(body)
    },
  })
}

/** Aborted when the visitor leaves before the response. */
function signalOf(response: ServerResponse): AbortSignal {
  const left = new AbortController()
  response.once('close', () => left.abort(new ClientLeft()))
  return left.signal
}
