import type { Clock } from '../../../platform/clock/index.ts'
import type { Database, Listener } from '../../../platform/db/index.ts'
import { LookupCache } from '../../../platform/db/lookup-cache.ts'
import { ORGANISATIONS_TOPIC } from '../../account/organisations/index.ts'
import { findDestinationUrl, fromDestination } from '../../codes/destinations/index.ts'
import { PAGES_TOPIC } from '../pages/index.ts'
import { findPublicPage, type PublicPage } from '../published-pages/index.ts'
import type { LoadedPage } from './rendering/view.ts'

const BYTES_MAX = 32 * 1024 * 1024
const PUBLIC_SLUG = /^[0-9A-Za-z]{12}$/

type FoundPage = LoadedPage | 'gone'

/**
 * Finds pages by their public slug. A page is cached until a change is announced, and served from the cache while the
 * database is away.
 */
export class PageStore {
  readonly #database: Database
  readonly #found: LookupCache<FoundPage>
  /** Only has pages that were handed out. */
  readonly #loaded = new WeakMap<PublicPage, LoadedPage>()
  readonly #stopListening: () => void

  constructor(database: Database, clock: Clock) {
    this.#database = database
    this.#found = new LookupCache<FoundPage>({
      load: async (slugs) => {
        const found = new Map<string, FoundPage>()
        for (const slug of slugs) {
          const page = await this.#load(slug)
          if (page !== undefined) found.set(slug, page)
        }
        return found
      },
      bytesMax: BYTES_MAX,
      sizeOf: (found) => (found === 'gone' ? 50 : 2 * JSON.stringify(found.page).length),
      clock,
      availability: { isAway: false },
    })
    this.#stopListening = database.listen(this.#listener())
  }

  get bytesMax(): number {
    return this.#found.bytesMax
  }

  get usedBytes(): number {
    return this.#found.usedBytes
  }

  close(): void {
    this.#stopListening()
  }

  /** Returns undefined if there was never such a page. Throws if the database is away and the page is not cached. */
  async find(publicSlug: string): Promise<PublicPage | 'gone' | undefined> {
    if (!PUBLIC_SLUG.test(publicSlug)) return undefined
    const found = this.#found.peek(publicSlug) ?? (await this.#found.find(publicSlug))
    return found === 'gone' ? found : found?.page
  }

  /** The page must be one that `find` has returned. */
  linksOf(page: PublicPage): LoadedPage['links'] {
    return this.#loaded.get(page)?.links ?? new Map()
  }

  async #load(publicSlug: string): Promise<FoundPage | undefined> {
    const { read } = this.#database
    const page = await findPublicPage(read, publicSlug)
    if (page === undefined || page === 'gone') return page
    const links = new Map<string, string>()
    for (const { id, type, config } of page.blocks) {
      if (type !== 'button' || config.destination === null) continue
      const destination = fromDestination(config.destination)
      const url = destination && (await findDestinationUrl(read, page.orgId, destination))
      if (url) links.set(id, url)
    }
    const loaded = { page, links }
    this.#loaded.set(page, loaded)
    return loaded
  }

  #listener(): Listener {
    return {
      changed: (topic, key) => {
        if (topic === PAGES_TOPIC) this.#found.invalidate(key)
        // Pages show the name, the logo and the colours of the organisation.
        else if (topic === ORGANISATIONS_TOPIC)
          this.#found.invalidateWhere((found) => found !== 'gone' && found.page.orgId === key)
      },
      interrupted: () => this.#found.setListening(false),
      resumed: () => this.#found.setListening(true),
    }
  }
}
