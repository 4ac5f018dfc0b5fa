import { type LoopTurns, QueueFull } from '../../platform/bounded/index.ts'
import { DatabaseUnavailable } from '../../platform/db/failures.ts'
import type { Database } from '../../platform/db/index.ts'
import { etagOf, matchesEtag } from '../../platform/http/etag.ts'
import type { Server } from '../../platform/http/server.ts'
import type { Markdown } from '../../platform/markdown/index.ts'
import type { Logger } from '../../platform/telemetry/logging.ts'
import type { Metrics } from '../../platform/telemetry/metrics.ts'
import { RenderedTexts } from './rendered-texts.ts'
import { Themes } from './theme.ts'
import { type Answer, answerNotice, answerVisit, type Site, type Visit } from './visit.ts'

export interface HelpCentreServices {
  database: Database
  markdown: Markdown
  turns: LoopTurns
  publicUrl: string
  log: Logger
  metrics: Metrics
}

const RETRY_SECONDS = 5

/** Adds the public help centre pages to the server, below /kb/. */
export function mountHelpCentre(server: Server, services: HelpCentreServices): void {
  const { database, markdown, turns, publicUrl, log, metrics } = services
  const texts = new RenderedTexts(database.read, markdown)
  metrics.watchBudget('rendered_texts', texts)
  const themes = new Themes()
  metrics.watchBudget('themes', themes)
  const site: Site = { database, turns, publicUrl, themes, texts }
  for (const url of ['/kb/:slug', '/kb/:slug/*']) {
    server.route<{ Params: { slug: string; '*'?: string }; Querystring: Record<string, unknown> }>({
      method: ['GET', 'HEAD'],
      url,
      config: { operation: 'help_centre' },
      handler: async ({ id, params, query, headers, raw }, reply) => {
        const acceptLanguage = headers['accept-language']
        const visit = { publicSlug: params.slug, path: params['*'] ?? '', query, acceptLanguage }
        const answer = await answerVisit(site, visit).catch((error) => answerFailure(site, visit, error, id, log))
        const etag = etagOf(answer.body)
        const isKnown = answer.status === 200 && matchesEtag(headers['if-none-match'], etag)
        const status = isKnown ? 304 : answer.status
        server.record({
          operation: `help_centre.${answer.page}`,
          requestId: id,
          status,
          ms: performance.now() - raw.arrivedMs,
        })
        if (server.isClosing) reply.header('connection', 'close')
        reply.code(status).headers({ 'x-request-id': id, ...headersOf(answer, etag) })
        return isKnown ? reply.send() : reply.type(answer.mediaType).send(answer.body)
      },
    })
  }
}

function answerFailure(site: Site, visit: Visit, error: unknown, requestId: string, log: Logger): Answer {
  const isTemporary = error instanceof DatabaseUnavailable || error instanceof QueueFull
  if (isTemporary) return answerNotice(site, visit, 'unavailable', 503)
  log.error({ request_id: requestId, err: error }, 'help centre page failed')
  return answerNotice(site, visit, 'unavailable', 500)
}

/** Caches must revalidate every time, because a withdrawn article must disappear at once. */
function headersOf({ status, language, isNegotiated, policy }: Answer, etag: string): Record<string, string> {
  return {
    ...(status === 200 ? { etag, 'cache-control': 'public, no-cache' } : { 'cache-control': 'no-store' }),
    ...(status >= 500 && { 'retry-after': String(RETRY_SECONDS) }),
    ...(isNegotiated && { vary: 'accept-language' }),
    'content-language': language,
    'content-security-policy': policy,
    'referrer-policy': 'strict-origin-when-cross-origin',
  }
}
