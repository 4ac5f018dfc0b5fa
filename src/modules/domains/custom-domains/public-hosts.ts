import type { Clock } from '../../../platform/clock/index.ts'
import { DatabaseUnavailable } from '../../../platform/db/failures.ts'
import type { Database, Db } from '../../../platform/db/index.ts'
import { LookupCache } from '../../../platform/db/lookup-cache.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { isApex } from './domain-name.ts'
import { DOMAINS_TOPIC } from './stored-domain.ts'

export interface HostRules {
  ownHosts: readonly string[]
  /** True for an installation without configured hosts: it cannot know the names it is reached by. */
  acceptsAnyHost: boolean
}

/** What a route of a domain shows. */
export interface ShownRoute {
  slug: string
  type: 'chatbot' | 'kb' | 'page'
  targetId: string
  publicSlug: string
}

/** A verified domain, and what it shows beside the codes of its organisation. */
export interface ShownDomain {
  orgId: OrgId
  name: string
  /** Has the protocol, but no path. */
  url: string
  /** Where visitors with unknown codes are redirected to. */
  fallbackUrl: string | null
  /** The keys are slugs. The oldest route comes first. */
  routes: ReadonlyMap<string, ShownRoute>
  /** Where `/` redirects to, unless a route is at `/` itself. */
  defaultRoute: ShownRoute | undefined
}

/** Loads what each of these domains shows. Left out are those that are not verified. */
type FindShownDomains = (db: Db, names: readonly string[]) => Promise<Map<string, ShownDomain>>

/** Whose content a host shows: that of one organisation, of `all`, or of nobody. */
type ContentOwner = OrgId | 'all' | undefined

const WWW = 'www.'
const BYTES_MAX = 16 * 1024 * 1024
const ROUTE_BYTES = 400

/** Knows what each host shows. Custom domains are cached until a change is announced. */
export class PublicHosts {
  readonly #rules: HostRules
  readonly #domains: LookupCache<ShownDomain>
  readonly #stopListening: () => void
  /** Shared with other caches of the same database that are used for the same requests. */
  readonly availability = { isAway: false }

  constructor(database: Database, rules: HostRules, findShown: FindShownDomains, clock: Clock) {
    this.#rules = rules
    this.#domains = new LookupCache<ShownDomain>({
      load: (hosts) => findShown(database.read, hosts),
      bytesMax: BYTES_MAX,
      sizeOf: ({ routes, fallbackUrl }) => 200 + ROUTE_BYTES * routes.size + 2 * (fallbackUrl?.length ?? 0),
      clock,
      availability: this.availability,
    })
    this.#stopListening = database.listen({
      changed: (topic, key) => {
        if (topic === DOMAINS_TOPIC) this.#domains.invalidate(key)
      },
      interrupted: () => this.#domains.setListening(false),
      resumed: () => this.#domains.setListening(true),
    })
  }

  get bytesMax(): number {
    return this.#domains.bytesMax
  }

  get usedBytes(): number {
    return this.#domains.usedBytes
  }

  get acceptsAnyHost(): boolean {
    return this.#rules.acceptsAnyHost
  }

  /** The verified domains, by their names. */
  get domains(): Pick<LookupCache<ShownDomain>, 'peek' | 'find'> {
    return this.#domains
  }

  close(): void {
    this.#stopListening()
  }

  isOwn(host: string): boolean {
    return this.#rules.ownHosts.includes(host)
  }

  /** A custom domain shows only what belongs to its organisation. `gone` was deleted, and belongs to nobody. */
  async showing<T extends { orgId: OrgId }>(host: string, found: T | 'gone'): Promise<T | 'gone' | undefined> {
    const shown = this.find(host)
    const whose = shown instanceof Promise ? await shown : shown
    if (whose === undefined) return undefined
    return whose === 'all' || found === 'gone' || found.orgId === whose ? found : undefined
  }

  /** Whether it is known without a query that this host shows the content of the organisation. */
  isKnownToShow(host: string, orgId: OrgId): boolean {
    if (this.isOwn(host)) return true
    const domain = this.#domains.peek(host)
    return domain === null ? this.#rules.acceptsAnyHost : domain?.orgId === orgId
  }

  /** Whether it is known without a query that this host shows the content of all organisations, as no custom domain does. */
  isKnownToShowAll(host: string): boolean {
    return this.isOwn(host) || (this.#rules.acceptsAnyHost && !this.#domains.peek(host))
  }

  /** Whether this host sends visitors of an unknown address elsewhere. What a route shows is not unknown, only closed. */
  async sendsOn({ host, shownAt }: { host: string; shownAt?: string | undefined }): Promise<boolean> {
    if (shownAt !== undefined || this.isOwn(host)) return false
    return (await this.#domains.find(host))?.fallbackUrl != null
  }

  /** Answers at once for hosts that are known. Throws if the database is away and the host is not cached. */
  find(host: string): ContentOwner | Promise<ContentOwner> {
    if (this.isOwn(host)) return 'all'
    const known = this.#domains.peek(host)
    return known === undefined ? this.#load(host) : (known?.orgId ?? this.#withoutDomain)
  }

  /** The verified apex domain that this host is the `www.` of. */
  async findApexOf(host: string): Promise<ShownDomain | undefined> {
    const apex = host.startsWith(WWW) ? host.slice(WWW.length) : ''
    return apex !== '' && isApex(apex) ? this.#domains.find(apex) : undefined
  }

  /**
   * Whether visitors may be met under this name: one of our own hosts, a verified domain, or `www.` of a verified apex
   * domain. Here, an installation that accepts any host has no host of its own.
   */
  async isServed(host: string): Promise<boolean> {
    if (this.isOwn(host) || (await this.#domains.find(host)) !== undefined) return true
    return (await this.findApexOf(host)) !== undefined
  }

  async #load(host: string): Promise<ContentOwner> {
    try {
      return (await this.#domains.find(host))?.orgId ?? this.#withoutDomain
    } catch (error) {
      // Nearly always it is the name that such an installation is reached by.
      if (this.#rules.acceptsAnyHost && error instanceof DatabaseUnavailable) return 'all'
      throw error
    }
  }

  /** What a host shows that is no custom domain. */
  get #withoutDomain(): ContentOwner {
    return this.#rules.acceptsAnyHost ? 'all' : undefined
  }
}
