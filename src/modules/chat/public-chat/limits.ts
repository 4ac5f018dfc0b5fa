import { addressBlock } from '../../../platform/http/server/address-block.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { Caps, RateLimiter } from '../../../platform/rate-limit/index.ts'

/** Limits one conversation. */
const VISITOR_MESSAGES: Caps = { perMinute: 20, perHour: 200 }
/** Many people may share an address. Somebody who begins one conversation after another is held up by this. */
const ADDRESS_MESSAGES: Caps = { perMinute: 60, perHour: 600 }
/** What the database of a small server takes without others noticing. */
const ORGANISATION_MESSAGES: Caps = { perMinute: 1200, perHour: 24_000 }

/** Votes, read marks and that somebody is typing. */
const VISITOR_SIGNALS: Caps = { perMinute: 60, perHour: 1200 }

/** Limits one address at one chatbot. Nobody mistypes a password more often. */
const PASSWORD_TRIES: Caps = { perMinute: 5, perHour: 30 }
/** Limits everybody together: hashing a password is expensive, and so is guessing from very many addresses. */
const CHATBOT_PASSWORD_TRIES: Caps = { perMinute: 60, perHour: 600 }

interface Chatbot {
  id: string
  orgId: OrgId
}

/** Counts what visitors do, over all processes. Each method returns 0, or the seconds until it is allowed again. */
export class ChatLimits {
  readonly #limiter: RateLimiter

  constructor(limiter: RateLimiter) {
    this.#limiter = limiter
  }

  /** `conversationId` is undefined for a visitor who begins. */
  admitMessage(
    { id, orgId }: Chatbot,
    conversationId: string | undefined,
    address: string,
    nowMs: number,
  ): Promise<number> {
    const visitor = addressBlock(address)
    return this.#take(nowMs, [
      [`chat ${conversationId ?? `${id} ${visitor} new`}`, VISITOR_MESSAGES],
      [`chat ${id} ${visitor}`, ADDRESS_MESSAGES],
      [`chat ${orgId}`, ORGANISATION_MESSAGES],
    ])
  }

  /** The message that began a conversation was counted for its address. */
  async noteFirst(conversationId: string, nowMs: number): Promise<void> {
    await this.#take(nowMs, [[`chat ${conversationId}`, VISITOR_MESSAGES]])
  }

  admitSignal({ id }: Chatbot, address: string, nowMs: number): Promise<number> {
    return this.#take(nowMs, [[`chat signals ${id} ${addressBlock(address)}`, VISITOR_SIGNALS]])
  }

  admitPassword({ id }: Chatbot, address: string, nowMs: number): Promise<number> {
    return this.#take(nowMs, [
      [`chat password ${id} ${addressBlock(address)}`, PASSWORD_TRIES],
      [`chat password ${id}`, CHATBOT_PASSWORD_TRIES],
    ])
  }

  async #take(nowMs: number, counts: readonly [key: string, caps: Caps][]): Promise<number> {
    for (const [key, caps] of counts) {
      const { retryAfterSeconds } = await this.#limiter.take(key, caps, nowMs)
      if (retryAfterSeconds > 0) return retryAfterSeconds
    }
    return 0
  }
}
