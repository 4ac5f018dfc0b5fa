import type { IncomingMessage, ServerResponse } from 'node:http'
import { SERVICE_WORDS } from '../../../platform/contract/reserved-words.ts'
import { DatabaseUnavailable } from '../../../platform/db/failures.ts'
import { hostOf } from '../../../platform/http/server/host.ts'
import type { RawRequest } from '../../../platform/http/server/raw-request.ts'
import type { Handle, RequestHandler } from '../../../platform/http/server/request-handler.ts'
import type { Server } from '../../../platform/http/server/server.ts'
import { sendRaw } from '../../../platform/pages/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import { isCentrePart } from '../../knowledge/public-articles/index.ts'
import type { PublicHosts, ShownDomain, ShownRoute } from '../custom-domains/index.ts'

interface HostRequest extends RawRequest {
  next: Handle
}

/** What programs and operators call. It shows no content, so it answers on every host. */
const SERVICE = new RegExp(`^/(?:${[...SERVICE_WORDS].join('|')}|\\.well-known/oauth-[^/?]*)(?:[/?]|$)`)

/** Nobody signs in, or reads about the API, on a domain of a customer. A code of the domain can be there. */
const OURS = /^\/(?:account|docs)(?:\/|$)/

const PREFIXES = { page: '/p/', kb: '/kb/' } as const

interface Handlers {
  notFound: Handle
  /** Shows a code, or that there is nothing. */
  onlyCodes: Handle
}

/** A route can change at any time. `www.` cannot, but the domain can be disconnected. */
const REDIRECTS = {
  route: { status: 302, cacheControl: 'no-store' },
  www: { status: 308, cacheControl: 'max-age=3600' },
} as const

/**
 * Decides what the host of a request shows. On our own hosts, it does nothing. On a custom domain, it shows what the routes
 * of the domain say: the request gets the address of the page or help centre, and `shownAt` keeps the path of the route.
 * Other requests go on, to the codes and pages of the organisation. A host of nobody has no content.
 */
export class HostRouter implements RequestHandler {
  readonly #hosts: PublicHosts
  readonly #server: Pick<Server, 'record'>
  readonly #handlers: Handlers
  readonly #log: Logger
  /** Most requests have the same `Host`. Comparing it costs next to nothing. */
  #lastOwn: string | undefined

  constructor(hosts: PublicHosts, server: Pick<Server, 'record'>, handlers: Handlers, log: Logger) {
    this.#hosts = hosts
    this.#server = server
    this.#handlers = handlers
    this.#log = log
  }

  tryHandle(request: IncomingMessage, response: ServerResponse, next: Handle): boolean {
    const { headers, url = '/' } = request
    if (headers.host === this.#lastOwn) return false
    const host = hostOf(request)
    if (this.#hosts.isOwn(host)) {
      this.#lastOwn = headers.host
      return false
    }
    if (SERVICE.test(url)) return false
    const known = this.#hosts.domains.peek(host)
    const raw = { request, response, next }
    if (known) this.#route(raw, known)
    else if (known === null && this.#hosts.acceptsAnyHost && !host.startsWith('www.')) return false
    else void this.#find(raw, host)
    return true
  }

  /** Every path belongs to somebody else. */
  methodsOf(): readonly string[] {
    return []
  }

  async #find(raw: HostRequest, host: string): Promise<void> {
    const { request, response, next } = raw
    try {
      const domain = await this.#hosts.domains.find(host)
      const apex = domain === undefined ? await this.#hosts.findApexOf(host) : undefined
      if (domain !== undefined) this.#route(raw, domain)
      else if (apex !== undefined) this.#redirect(raw, 'www', apex.url + (request.url ?? '/'))
      else if (this.#hosts.acceptsAnyHost) next(request, response)
      else this.#handlers.notFound(request, response)
    } catch (error) {
      // The handler of the request has the same problem, and explains it to the visitor.
      if (error instanceof DatabaseUnavailable && this.#hosts.acceptsAnyHost) next(request, response)
      else if (error instanceof DatabaseUnavailable) this.#goOn(raw, split(request.url ?? '/').path)
      else {
        this.#log.error({ err: error }, 'the host of a request was not found')
        response.destroy()
      }
    }
  }

  #route(raw: HostRequest, { routes, defaultRoute }: ShownDomain): void {
    const { request, response } = raw
    const { path, query } = split(request.url ?? '/')
    const slash = path.indexOf('/', 1)
    const first = path.slice(1, slash === -1 ? undefined : slash)
    const route = routes.get(first)
    const root = routes.get('')
    if (route !== undefined) this.#show(raw, route, slash === -1 ? '' : path.slice(slash), query)
    else if (root?.type === 'kb' && isCentrePart(first)) this.#show(raw, root, path, query)
    else if (path === '/' && defaultRoute !== undefined) this.#redirect(raw, 'route', `/${defaultRoute.slug}${query}`)
    else if (path === '/') this.#handlers.notFound(request, response)
    else this.#goOn(raw, path)
  }

  /** Goes on to all that a domain can show. */
  #goOn({ request, response, next }: HostRequest, path: string): void {
    const handle = !path.startsWith('/') || isOurs(path) ? this.#handlers.onlyCodes : next
    handle(request, response)
  }

  #show(raw: HostRequest, { slug, type, publicSlug }: ShownRoute, rest: string, query: string): void {
    const { request, response, next } = raw
    if (type !== 'chatbot') {
      request.shownAt = slug === '' ? '' : `/${slug}`
      request.url = `${PREFIXES[type]}${publicSlug}${rest}${query}`
      next(request, response)
      // Conversations are in cookies for this path. At two addresses, a visitor would have two of them.
    } else if (rest === '' || rest === '/') this.#redirect(raw, 'route', `/c/${publicSlug}${query}`)
    else this.#handlers.notFound(request, response)
  }

  #redirect(raw: RawRequest, kind: keyof typeof REDIRECTS, location: string): void {
    const { status, cacheControl } = REDIRECTS[kind]
    const headers = ['location', location, 'cache-control', cacheControl, 'content-length', '0']
    sendRaw(this.#server, raw, `host.${kind}`, { status, headers })
  }
}

/** The framework finds its routes by the decoded path, without a fragment. */
function isOurs(path: string): boolean {
  try {
    return OURS.test(decodeURIComponent(path))
  } catch {
    return OURS.test(path)
  }
}

function split(url: string): { path: string; query: string } {
  const end = url.search(/[?#]/)
  return end === -1 ? { path: url, query: '' } : { path: url.slice(0, end), query: url.slice(end) }
}
