import { type LoopTurns, SharedCache } from '../../../platform/bounded/index.ts'
import type { Clock } from '../../../platform/clock/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import type { RequestHandler } from '../../../platform/http/server/request-handler.ts'
import type { Server } from '../../../platform/http/server/server.ts'
import type { Keyring } from '../../../platform/keyring/index.ts'
import type { Markdown } from '../../../platform/markdown/index.ts'
import { sizeOf } from '../../../platform/pages/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import type { Metrics } from '../../../platform/telemetry/metrics.ts'
import { UserAgents } from '../../../platform/user-agent/user-agents.ts'
import type { PublicAddresses } from '../../domains/custom-domain-routes/index.ts'
import type { PublicHosts } from '../../domains/custom-domains/index.ts'
import { PageHandler } from './handler.ts'
import { PageFacts } from './page-facts.ts'
import { PageStore } from './page-store.ts'
import { mountReceipts } from './receipt/index.ts'
import { RenderedTexts } from './rendering/rendered-texts.ts'
import type { PageRequestServices } from './request-services.ts'
import type { ViewRecorder } from './views/record-view.ts'
import { createRequestServices, type PageSources } from './visit.ts'
import { VisitCookie } from './visit-cookie.ts'

export interface PageServices {
  database: Database
  keyring: Keyring
  markdown: Markdown
  turns: LoopTurns
  publicUrl: string
  hosts: PublicHosts
  addresses: PublicAddresses
  views: ViewRecorder
  clock: Clock
  log: Logger
  metrics: Metrics
}

interface MountedPages {
  handler: RequestHandler
  /** Used by everything else that is done with pages, such as sending a form. */
  requestServices: PageRequestServices
  /** Shows a page at the address of a code, once the scan is durable. */
  showScanned: PageHandler['showScanned']
  close(): void
}

const MIB = 1024 * 1024
/** An organisation has a quarter. */
const BODY_LIMITS = { bytesMax: 64 * MIB, bytesPerKeyMax: 16 * MIB }

/** Adds the public pages to the server, below /p/. */
export function mountPages(server: Server, services: PageServices): MountedPages {
  const { database, keyring, markdown, publicUrl, hosts, addresses, views, clock, log, metrics } = services
  const caches = {
    public_pages: new PageStore(database, clock),
    page_bodies: new SharedCache(BODY_LIMITS, sizeOf) satisfies PageSources['bodies'],
    page_texts: new RenderedTexts(markdown),
    page_facts: new PageFacts(database),
    page_user_agents: new UserAgents(),
  }
  for (const [name, cache] of Object.entries(caches)) metrics.watchBudget(name, cache)
  const sources: PageSources = {
    keyring,
    cookie: new VisitCookie(keyring, publicUrl),
    turns: services.turns,
    addresses,
    compression: server.compression,
    store: caches.public_pages,
    hosts,
    facts: caches.page_facts,
    texts: caches.page_texts,
    bodies: caches.page_bodies,
  }
  const userAgents = caches.page_user_agents
  const handler = new PageHandler({ ...sources, views, userAgents, server, database, clock, log })
  mountReceipts(server, { ...sources, database })
  return {
    handler,
    requestServices: createRequestServices(sources),
    showScanned: (exchange, visit) => handler.showScanned(exchange, visit),
    close: () => caches.public_pages.close(),
  }
}

export { mountForms } from './form/index.ts'
export { openViewRecorder, storeViewTexts } from './views/record-view.ts'
