import type { Server } from '../../../../platform/http/server/server.ts'
import { route } from '../../../../platform/pages/index.ts'
import { FEEDBACK_PATH } from '../pages/feedback.ts'
import { FeedbackHandler, type FeedbackServices } from './handler.ts'

export type { FeedbackServices } from './handler.ts'

/** Adds to the server what visitors send from the pages of articles. */
export function mountFeedback(server: Server, services: FeedbackServices): void {
  const handler = new FeedbackHandler(services)
  route(server, {
    method: 'POST',
    url: '/kb/:slug/*',
    operation: 'help_centre.feedback',
    respond: ({ request, signal, query, params: { slug = '', '*': path = '' } }) => {
      if (!path.endsWith(`/${FEEDBACK_PATH}`)) return 'not_found'
      return handler.receive({
        request,
        publicSlug: slug,
        path: path.slice(0, -FEEDBACK_PATH.length),
        language: query.get('language') ?? '',
        signal,
      })
    },
  })
}
