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

/** What a chatbot may spend on visitors. */
export interface QuestionCaps {
  /** Questions of all visitors to one chatbot in 24 hours. */
  perDay: number
  /** Questions from one address to one chatbot in 24 hours. */
  perAddress: number
}

const UNCAPPED = Number.MAX_SAFE_INTEGER
/** More questions in a minute than this, or than a 40th of the limit of a day, mean that a chatbot is probably attacked. */
const USUAL_QUESTIONS_PER_MINUTE = 30
const USUAL_SHARE = 1 / 40

interface Chatbot {
  id: string
  orgId: OrgId
}

/** Counts what visitors do, over all processes. Each method returns 0, or the seconds until it is allowed again. */
export class ChatLimits {
  readonly #limiter: RateLimiter
  readonly #questions: QuestionCaps

  constructor(limiter: RateLimiter, questions: QuestionCaps) {
    this.#limiter = limiter
    this.#questions = questions
  }

  /** Counts a question. True if the chatbot gets unusually many. */
  async noteQuestion({ id }: Chatbot, nowMs: number): Promise<boolean> {
    const caps = { perMinute: UNCAPPED, perHour: UNCAPPED }
    const { minute } = await this.#limiter.take(`questions ${id}`, caps, nowMs)
    const usual = Math.max(USUAL_QUESTIONS_PER_MINUTE, this.#questions.perDay * USUAL_SHARE)
    return minute.limit - minute.remaining > usual
  }

  /** Counts a question on which something may be spent. Says what is used up, if something is. */
  async admitPaid({ id }: Chatbot, address: string, nowMs: number): Promise<'address' | 'chatbot' | undefined> {
    const take = (key: string, perDay: number) =>
      this.#take(nowMs, [[key, { perMinute: UNCAPPED, perHour: UNCAPPED, perDay }]])
    if ((await take(`questions ${id} ${addressBlock(address)}`, this.#questions.perAddress)) > 0) return 'address'
    return (await take(`questions ${id} paid`, this.#questions.perDay)) > 0 ? 'chatbot' : undefined
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
