import { addressBlock } from '../../../../platform/http/server/address-block.ts'
import type { Caps, RateDecision, RateLimiter } from '../../../../platform/rate-limit/index.ts'
import type { PublicPage } from '../../published-pages/index.ts'

/** Limits one visitor on one page. Many people may share an address. */
const VISITOR_POSTS: Caps = { perMinute: 30, perHour: 600 }
/** With more posts than this in a minute, a page is probably under attack. */
const USUAL_POSTS_PER_MINUTE = 30

export interface Admitted {
  /** 0 if it may be received. */
  retryAfterSeconds: number
  /** Whether the page gets unusually many forms, if this one may be received. */
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
    const counts: [key: string, caps: Caps][] = [
      [`form ${id}`, this.#ofPage],
      [`form ${orgId}`, this.#ofOrganisation],
      [`form ${id} ${addressBlock(address)}`, VISITOR_POSTS],
    ]
    // What is known to be full is not counted at all. A flood from many addresses must not cost a write for each of them,
    // and one visitor who goes on must not use up what the page may receive.
    const fullForSeconds = counts.map(([key, caps]) => this.#limiter.fullForSeconds(key, caps, nowMs))
    if (fullForSeconds.some((seconds) => seconds > 0)) {
      return { retryAfterSeconds: Math.max(...fullForSeconds), isUnderAttack: false }
    }
    const decisions = await Promise.all(counts.map(async ([key, caps]) => this.#limiter.take(key, caps, nowMs)))
    const [{ minute }] = decisions as [RateDecision]
    return {
      retryAfterSeconds: Math.max(...decisions.map(({ retryAfterSeconds }) => retryAfterSeconds)),
      isUnderAttack: minute.limit - minute.remaining > USUAL_POSTS_PER_MINUTE,
    }
  }
}
