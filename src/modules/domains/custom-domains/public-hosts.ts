import type { Clock } from '../../../platform/clock/index.ts'
import { DatabaseUnavailable } from '../../../platform/db/failures.ts'
import type { Database } from '../../../platform/db/index.ts'
import { LookupCache } from '../../../platform/db/lookup-cache.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { DOMAINS_TOPIC, findVerifiedDomains } from './service.ts'

export interface HostRules {
  ownHosts: readonly string[]
  /** True for an installation without configured hosts: it cannot know the names it is reached by. */
  acceptsAnyHost: boolean
}

/** Whose content a host shows: that of one organisation, of `all`, or of nobody. */
type Shown = OrgId | 'all' | undefined

const BYTES_MAX = 8 * 1024 * 1024

/** Knows whose content each host shows. Custom domains are cached until a change is announced. */
export class PublicHosts {
  readonly #rules: HostRules
  readonly #domains: LookupCache<OrgId>
  readonly #stopListening: () => void

  constructor(database: Database, rules: HostRules, clock: Clock) {
    this.#rules = rules
    this.#domains = new LookupCache<OrgId>({
      load: (hosts) => findVerifiedDomains(database.read, hosts),
      bytesMax: BYTES_MAX,
      sizeOf: () => 50,
      clock,
      availability: { isAway: false },
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

  close(): void {
    this.#stopListening()
  }

  /** A custom domain shows only what belongs to its organisation. `gone` was deleted, and belongs to nobody. */
  async showing<T extends { orgId: OrgId }>(host: string, found: T | 'gone'): Promise<T | 'gone' | undefined> {
    const shown = this.find(host)
    const whose = shown instanceof Promise ? await shown : shown
    if (whose === undefined) return undefined
    return whose === 'all' || found === 'gone' || found.orgId === whose ? found : undefined
  }

  /** Answers at once for hosts that are known. Throws if the database is away and the host is not cached. */
  find(host: string): Shown | Promise<Shown> {
    if (this.#rules.ownHosts.includes(host)) return 'all'
    const known = this.#domains.peek(host)
    return known === undefined ? this.#load(host) : (known ?? this.#withoutDomain)
  }

  async #load(host: string): Promise<Shown> {
    try {
      return (await this.#domains.find(host)) ?? this.#withoutDomain
    } catch (error) {
      // Nearly always it is the name that such an installation is reached by.
      if (this.#rules.acceptsAnyHost && error instanceof DatabaseUnavailable) return 'all'
      throw error
    }
  }

  /** For a host that is no custom domain. */
  get #withoutDomain(): Shown {
    return this.#rules.acceptsAnyHost ? 'all' : undefined
  }
}
