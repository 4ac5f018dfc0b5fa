import type { IncomingMessage, ServerResponse } from 'node:http'
import { parse } from 'node:querystring'
import { chooseEncoding } from '../../../platform/http/caching/encoding.ts'
import { hostOf } from '../../../platform/http/server/host.ts'
import { type Handle, READ_METHODS, type RequestHandler } from '../../../platform/http/server/request-handler.ts'
import type { Server } from '../../../platform/http/server/server.ts'
import { newRequestId } from '../../../platform/ids/index.ts'
import { isTemporary, sendBusy, sendPage } from '../../../platform/pages/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import type { ScannedThing } from '../../codes/scanned-things/index.ts'
import { parseAddress } from '../public-articles/index.ts'
import { answerNotice } from './answer-notice.ts'
import type { CentrePage } from './centre-page.ts'
import type { CentreRequestServices, CentreVisit } from './centre-visit.ts'
import { answerScanned, findScanned } from './scanned-visit.ts'
import { answerVisit, findKnownPage, wasPageKnown } from './visit.ts'

const PREFIX = '/kb/'

/** Serves the help centres below /kb/, outside the framework: it takes longer than sending a cached page. */
export class HelpCentreHandler implements RequestHandler {
  readonly #services: CentreRequestServices
  readonly #server: Pick<Server, 'record' | 'gate'>
  readonly #log: Logger

  constructor(services: CentreRequestServices, server: Pick<Server, 'record' | 'gate'>, log: Logger) {
    this.#services = services
    this.#server = server
    this.#log = log
  }

  tryHandle(request: IncomingMessage, response: ServerResponse, next: Handle): boolean {
    const { method, url = '' } = request
    if (!url.startsWith(PREFIX) || (method !== 'GET' && method !== 'HEAD')) return false
    void this.#handle(request, response, next, readVisit(url, request))
    return true
  }

  methodsOf(path: string): readonly string[] {
    return path.startsWith(PREFIX) ? READ_METHODS : []
  }

  async #handle(request: IncomingMessage, response: ServerResponse, next: Handle, visit: CentreVisit): Promise<void> {
    const requestId = newRequestId()
    try {
      const scanned = findScanned(this.#services, visit)
      const known = scanned === undefined ? findKnownPage(this.#services, visit) : undefined
      const isCheap = known !== undefined || (scanned === undefined && wasPageKnown(this.#services, visit))
      const seconds = isCheap ? 0 : await this.#wait(request, response, visit)
      if (seconds > 0) return sendBusy(this.#server, { request, response }, 'help_centre.busy', seconds)
      const page = known ?? (await this.#answer(visit, scanned, requestId))
      if (page === 'not_found') return next(request, response)
      request.loggedAs = { orgId: visit.orgId, error: page.status >= 400 ? page.page : undefined }
      sendPage(this.#server, { request, response }, `help_centre.${page.page}`, page, page.caching, requestId)
    } catch (error) {
      this.#log.error({ request_id: requestId, err: error }, 'help centre page was not sent')
      response.destroy()
    }
  }

  /** Returns the seconds to wait if this address has made us look up or make too much. */
  async #wait(request: IncomingMessage, response: ServerResponse, { path }: CentreVisit): Promise<number> {
    const isSearch = parseAddress(path).route.page === 'search'
    return (await this.#server.gate?.admit(isSearch ? 'search' : 'page', request, response)) ?? 0
  }

  async #answer(
    visit: CentreVisit,
    scanned: ScannedThing | undefined,
    requestId: string,
  ): Promise<CentrePage | 'not_found'> {
    try {
      const own = scanned && (await answerScanned(this.#services, visit, scanned))
      return own ?? (await answerVisit(this.#services, visit))
    } catch (error) {
      if (isTemporary(error)) return answerNotice(this.#services, visit, 'unavailable', 503)
      this.#log.error({ request_id: requestId, err: error }, 'help centre page failed')
      return answerNotice(this.#services, visit, 'unavailable', 500)
    }
  }
}

function readVisit(url: string, request: IncomingMessage): CentreVisit {
  const { headers, shownAt } = request
  const queryAt = url.indexOf('?')
  const address = url.slice(PREFIX.length, queryAt === -1 ? undefined : queryAt)
  const slash = address.indexOf('/')
  return {
    host: hostOf(request),
    shownAt,
    publicSlug: decoded(slash === -1 ? address : address.slice(0, slash)),
    path: slash === -1 ? '' : decoded(address.slice(slash + 1)),
    query: queryAt === -1 ? undefined : parse(url.slice(queryAt + 1)),
    search: queryAt === -1 ? '' : url.slice(queryAt),
    acceptLanguage: headers['accept-language'],
    encoding: chooseEncoding(headers['accept-encoding']),
  }
}

/** Leaves broken percent-encoding as it is. No address contains it. */
function decoded(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
