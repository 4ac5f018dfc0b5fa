import type { Clock } from '../../../../platform/clock/index.ts'
import type { Database, Listener } from '../../../../platform/db/index.ts'
import { LookupCache } from '../../../../platform/db/lookup-cache.ts'
import { ORGANISATIONS_TOPIC } from '../../../account/organisations/index.ts'
import { CHATBOTS_TOPIC } from '../../chatbots/index.ts'
import { selectUsedSlug } from './queries.ts'
import { findPublicChatbot, type PublicChatbot } from './service.ts'

const BYTES_MAX = 16 * 1024 * 1024
const GONE_BYTES_MAX = 1024 * 1024
const PUBLIC_SLUG = /^[0-9A-Za-z]{12}$/

/** Finds chatbots by their public slug. One is cached until a change is announced. */
export class PublicChatbots {
  readonly #found: LookupCache<PublicChatbot>
  /** The addresses of deleted ones. */
  readonly #gone: LookupCache<true>
  readonly #stopListening: () => void

  constructor(database: Database, clock: Clock) {
    this.#found = new LookupCache<PublicChatbot>({
      load: async (slugs) => {
        const found = new Map<string, PublicChatbot>()
        for (const slug of slugs) {
          const chatbot = await findPublicChatbot(database.read, slug)
          if (chatbot !== undefined) found.set(slug, chatbot)
        }
        return found
      },
      bytesMax: BYTES_MAX,
      sizeOf: (chatbot) => 2 * JSON.stringify(chatbot).length,
      clock,
      availability: { isAway: false },
    })
    this.#gone = new LookupCache<true>({
      load: async (slugs) => {
        const found = new Map<string, true>()
        for (const slug of slugs) if ((await selectUsedSlug(database.read, slug)).length > 0) found.set(slug, true)
        return found
      },
      bytesMax: GONE_BYTES_MAX,
      sizeOf: () => 50,
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

  /** Finds chatbots that are not active, too. Throws if the database is away and the chatbot is not cached. */
  async find(publicSlug: string): Promise<PublicChatbot | undefined> {
    return PUBLIC_SLUG.test(publicSlug) ? this.#found.find(publicSlug) : undefined
  }

  /** Whether there was a chatbot at this address, which `find` does not find any more. */
  async wasDeleted(publicSlug: string): Promise<boolean> {
    return PUBLIC_SLUG.test(publicSlug) && (await this.#gone.find(publicSlug)) === true
  }

  #listener(): Listener {
    const setListening = (isListening: boolean) => {
      for (const cache of [this.#found, this.#gone]) cache.setListening(isListening)
    }
    return {
      changed: (topic, key) => {
        if (topic === CHATBOTS_TOPIC) for (const cache of [this.#found, this.#gone]) cache.invalidate(key)
        // Pages show the name, the logo and the colours of the organisation.
        if (topic === ORGANISATIONS_TOPIC) this.#found.invalidateWhere(({ orgId }) => orgId === key)
      },
      interrupted: () => setListening(false),
      resumed: () => setListening(true),
    }
  }
}
