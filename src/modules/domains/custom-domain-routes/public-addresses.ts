import type { Clock } from '../../../platform/clock/index.ts'
import { DatabaseUnavailable } from '../../../platform/db/failures.ts'
import type { Database } from '../../../platform/db/index.ts'
import { LookupCache } from '../../../platform/db/lookup-cache.ts'
import type { PublicUrlOf } from '../../../platform/http/server/public-url.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { DOMAIN_OWNERS_TOPIC, findPrimaryDomains } from '../custom-domains/index.ts'
import { findShownDomains } from './shown-domains.ts'

/** The domain that new links of an organisation begin with. */
interface PrimaryDomain {
  url: string
  /** Where its routes show a page, knowledge base or chatbot: by the id, the path. */
  paths: ReadonlyMap<string, string>
}

/** Something with a public address. */
interface PublicThing {
  orgId: OrgId
  id: string
}

const BYTES_MAX = 8 * 1024 * 1024

/** A page in memory must not wait for the database. The last known domain is in memory, too: there was none. */
function ifAway(error: unknown): undefined {
  if (!(error instanceof DatabaseUnavailable)) throw error
}

/**
 * Knows at which address the content of an organisation should be found: on its primary domain, or below the public URL of
 * the service. Cached until a change is announced, so that no request and no row of a list needs a query for it.
 */
export class PublicAddresses {
  readonly #publicUrl: string
  readonly #primary: LookupCache<PrimaryDomain>
  readonly #stopListening: () => void

  constructor(database: Database, publicUrl: string, clock: Clock) {
    this.#publicUrl = publicUrl
    this.#primary = new LookupCache<PrimaryDomain>({
      load: (orgIds) => this.#load(database, orgIds as OrgId[]),
      bytesMax: BYTES_MAX,
      sizeOf: ({ paths }) => 100 + 150 * paths.size,
      clock,
      availability: { isAway: false },
    })
    this.#stopListening = database.listen({
      changed: (topic, key) => {
        if (topic === DOMAIN_OWNERS_TOPIC) this.#primary.invalidate(key)
      },
      interrupted: () => this.#primary.setListening(false),
      resumed: () => this.#primary.setListening(true),
    })
  }

  get bytesMax(): number {
    return this.#primary.bytesMax
  }

  get usedBytes(): number {
    return this.#primary.usedBytes
  }

  close(): void {
    this.#stopListening()
  }

  /** Not within a transaction: on PostgreSQL it may need another connection. */
  readonly urlOf: PublicUrlOf = (orgId) => {
    const known = this.#primary.peek(orgId)
    if (known !== undefined) return known?.url ?? this.#publicUrl
    return this.#primary.find(orgId).then((found) => found?.url ?? this.#publicUrl)
  }

  /** The one address that search engines should know. `path` is the one that works on every host. */
  async findCanonical({ orgId, id }: PublicThing, path: string): Promise<string> {
    return this.#toAddress(await this.#primary.find(orgId).catch(ifAway), id, path)
  }

  /** The same from memory alone. Undefined if it has to be loaded. */
  peekCanonical({ orgId, id }: PublicThing, path: string): string | undefined {
    const known = this.#primary.peek(orgId)
    return known === undefined ? undefined : this.#toAddress(known, id, path)
  }

  #toAddress(domain: PrimaryDomain | null | undefined, id: string, path: string): string {
    return domain == null ? this.#publicUrl + path : domain.url + (domain.paths.get(id) ?? path)
  }

  async #load(database: Database, orgIds: OrgId[]): Promise<Map<string, PrimaryDomain>> {
    const names = await findPrimaryDomains(database.read, orgIds)
    const domains = await findShownDomains(database.read, [...names.values()], this.#publicUrl)
    const found = new Map<string, PrimaryDomain>()
    for (const [orgId, name] of names) {
      const domain = domains.get(name)
      // It may have been lost to another organisation between the two reads.
      if (domain?.orgId !== orgId) continue
      const paths = new Map<string, string>()
      // The oldest route wins.
      for (const { slug, targetId, type } of domain.routes.values()) {
        if (type !== 'chatbot' && !paths.has(targetId)) paths.set(targetId, slug === '' ? '' : `/${slug}`)
      }
      found.set(orgId, { url: domain.url, paths })
    }
    return found
  }
}
