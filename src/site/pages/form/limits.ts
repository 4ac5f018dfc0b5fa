import type { PublicPage } from '../../../modules/pages/public-pages/index.ts'
import { addressBlock } from '../../../platform/http/address-block.ts'
import type { Caps, RateLimiter } from '../../../platform/rate-limit/index.ts'

/** Of one visitor on one page. Many people may share an address. */
const VISITOR_POSTS: Caps = { perMinute: 30, perHour: 600 }
/** With more posts than this in a minute, a page is probably under attack. */
const USUAL_POSTS_PER_MINUTE = 30

/** Ten full forms of ten files in an hour. */
const VISITOR_FILES: Caps = { perMinute: 30, perHour: 100 }
/** In MiB. Two full forms in a minute. */
const VISITOR_MEBIBYTES: Caps = { perMinute: 300, perHour: 1000 }
const PAGE_FILES: Caps = { perMinute: 300, perHour: 6000 }
/** What the disk and the network of a small server take without others noticing. */
const PAGE_MEBIBYTES: Caps = { perMinute: 2000, perHour: 20_000 }

const MIB = 1024 * 1024

export interface Admitted {
  /** 0 if it may be received. */
  retryAfterSeconds: number
  /** Whether the page gets unusually many forms. */
  isUnderAttack: boolean
}

/** Counts what visitors send, over all processes. */
export class FormLimits {
  readonly #limiter: RateLimiter
  readonly #ofPage: Caps
  readonly #ofOrganisation: Caps

  /** The limit per page keeps one page from occupying the database. It need not hold for a whole hour. */
  constructor(limiter: RateLimiter, formsPerMinute: number) {
    this.#limiter = limiter
    this.#ofPage = { perMinute: formsPerMinute, perHour: 20 * formsPerMinute }
    this.#ofOrganisation = { perMinute: 2 * formsPerMinute, perHour: 40 * formsPerMinute }
  }

  /** Counts a form. */
  async admitForm({ id, orgId }: PublicPage, address: string, nowMs: number): Promise<Admitted> {
    const fullForSeconds = Math.max(
      this.#limiter.fullForSeconds(`form ${id}`, this.#ofPage, nowMs),
      this.#limiter.fullForSeconds(`form ${orgId}`, this.#ofOrganisation, nowMs),
    )
    // Visitors are not counted then: a flood from many addresses must not cost a write for each of them.
    if (fullForSeconds > 0) return { retryAfterSeconds: fullForSeconds, isUnderAttack: true }
    const visitor = await this.#limiter.take(`form ${id} ${addressBlock(address)}`, VISITOR_POSTS, nowMs)
    if (!visitor.admitted) return { retryAfterSeconds: visitor.retryAfterSeconds, isUnderAttack: false }
    const page = await this.#limiter.take(`form ${id}`, this.#ofPage, nowMs)
    if (!page.admitted) return { retryAfterSeconds: page.retryAfterSeconds, isUnderAttack: true }
    const { retryAfterSeconds } = await this.#limiter.take(`form ${orgId}`, this.#ofOrganisation, nowMs)
    const posts = page.minute.limit - page.minute.remaining
    return { retryAfterSeconds, isUnderAttack: posts > USUAL_POSTS_PER_MINUTE }
  }

  /** Counts a file. Returns 0 if it may be received, and otherwise the seconds until then. */
  async admitFile({ id }: PublicPage, address: string, bytes: number, nowMs: number): Promise<number> {
    const visitor = addressBlock(address)
    const mebibytes = Math.max(1, Math.ceil(bytes / MIB))
    const counts: [key: string, caps: Caps, weight: number][] = [
      [`form files ${id} ${visitor}`, VISITOR_FILES, 1],
      [`form bytes ${id} ${visitor}`, VISITOR_MEBIBYTES, mebibytes],
      [`form files ${id}`, PAGE_FILES, 1],
      [`form bytes ${id}`, PAGE_MEBIBYTES, mebibytes],
    ]
    for (const [key, caps, weight] of counts) {
      const { retryAfterSeconds } = await this.#limiter.take(key, caps, nowMs, weight)
      if (retryAfterSeconds > 0) return retryAfterSeconds
    }
    return 0
  }
}
