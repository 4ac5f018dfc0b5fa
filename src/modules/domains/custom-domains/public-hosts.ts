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

  /** Answers at once for the hosts of the installation. Throws if the database is away and the host is not cached. */
  find(host: string): Shown | Promise<Shown> {
    return this.#rules.ownHosts.includes(host) ? 'all' : this.#findDomain(host)
  }

  async #findDomain(host: string): Promise<Shown> {
    const { acceptsAnyHost } = this.#rules
    try {
      return (await this.#domains.find(host)) ?? (acceptsAnyHost ? 'all' : undefined)
    } catch (error) {
      // Nearly always it is the name that such an installation is reached by.
      if (acceptsAnyHost && error instanceof DatabaseUnavailable) return 'all'
      throw error
    }
  }
}
