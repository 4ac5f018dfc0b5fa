import type { IncomingMessage } from 'node:http'
import { type LoopTurns, SharedCache } from '../../../platform/bounded/index.ts'
import type { Clock } from '../../../platform/clock/index.ts'
import type { ContentLanguage } from '../../../platform/contract/languages.ts'
import type { Database } from '../../../platform/db/index.ts'
import type { BodyReader } from '../../../platform/http/bodies/body-reader.ts'
import type { RequestHandler } from '../../../platform/http/server/request-handler.ts'
import type { Server } from '../../../platform/http/server/server.ts'
import type { Keyring } from '../../../platform/keyring/index.ts'
import { PAGE_TOKENS, Themes } from '../../../platform/look/index.ts'
import type { Markdown } from '../../../platform/markdown/index.ts'
import { sizeOf } from '../../../platform/pages/index.ts'
import { createRateLimiter } from '../../../platform/rate-limit/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import type { Metrics } from '../../../platform/telemetry/metrics.ts'
import { VisitorSalt } from '../../codes/scans/index.ts'
import type { PublicAddresses } from '../../domains/custom-domain-routes/index.ts'
import type { PublicHosts } from '../../domains/custom-domains/index.ts'
import type { PublicArticle } from '../public-articles/index.ts'
import type { CentrePage } from './centre-page.ts'
import type { CentreRequestServices } from './centre-visit.ts'
import { Centres } from './centres.ts'
import { mountFeedback } from './feedback/index.ts'
import { HelpCentreHandler } from './handler.ts'
import { RenderedTexts } from './rendered-texts.ts'

export interface HelpCentreServices {
  database: Database
  markdown: Markdown
  turns: LoopTurns
  keyring: Keyring
  bodies: BodyReader
  addressOf: (request: IncomingMessage) => string
  hosts: PublicHosts
  addresses: PublicAddresses
  clock: Clock
  log: Logger
  metrics: Metrics
}

const MIB = 1024 * 1024
/** An organisation has a quarter. */
const PAGE_LIMITS = { bytesMax: 64 * MIB, bytesPerKeyMax: 16 * MIB }
const FACT_LIMITS = { bytesMax: 8 * MIB, bytesPerKeyMax: 2 * MIB }

interface MountedHelpCentre {
  handler: RequestHandler
  /** Whether visitors may read a help centre. A promise if it must be looked up. */
  isOpen(publicSlug: string): boolean | Promise<boolean>
  /** Call it at shutdown. */
  close(): void
}

/** Adds the public help centre pages to the server, below /kb/. */
export function mountHelpCentre(server: Server, services: HelpCentreServices): MountedHelpCentre {
  const { database, markdown, turns, keyring, bodies, addressOf, hosts, addresses, clock, log, metrics } = services
  const caches = {
    help_centres: new Centres(database),
    help_centre_pages: new SharedCache<CentrePage>(PAGE_LIMITS, sizeOf),
    help_centre_languages: new SharedCache(FACT_LIMITS, (list: ContentLanguage[]) => 50 + 10 * list.length),
    help_centre_articles: new SharedCache(FACT_LIMITS, (article: PublicArticle) => 2 * JSON.stringify(article).length),
    help_centre_slugs: new SharedCache(FACT_LIMITS, ({ slug }: { slug: string }) => 2 * slug.length),
    rendered_texts: new RenderedTexts(database.read, markdown),
    themes: new Themes(PAGE_TOKENS),
  }
  for (const [name, cache] of Object.entries(caches)) metrics.watchBudget(name, cache)
  const requestServices: CentreRequestServices = {
    database,
    turns,
    keyring,
    clock,
    hosts,
    addresses,
    compression: server.compression,
    centres: caches.help_centres,
    pages: caches.help_centre_pages,
    languages: caches.help_centre_languages,
    articles: caches.help_centre_articles,
    slugs: caches.help_centre_slugs,
    texts: caches.rendered_texts,
    themes: caches.themes,
  }
  // Not the limiter of the API: visitors with very many addresses must not make it forget its callers.
  const limiter = createRateLimiter(database)
  mountFeedback(server, { ...requestServices, bodies, limiter, salt: new VisitorSalt(database), addressOf })
  const centres = caches.help_centres
  return {
    handler: new HelpCentreHandler(requestServices, server, log),
    isOpen: (publicSlug) =>
      centres.peek(publicSlug) !== undefined || centres.find(publicSlug).then((found) => typeof found === 'object'),
    close: () => centres.close(),
  }
}
