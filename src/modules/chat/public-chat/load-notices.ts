import { LRUCache } from 'lru-cache'
import { countLimit } from '../../../platform/bounded/index.ts'
import { HOUR_MS, timestamp } from '../../../platform/clock/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import type { Mails } from '../../mail/mails/index.ts'
import { type LoadCause, noticeLoad } from '../chatbots/index.ts'
import type { PublicChatbot } from './chatbots/index.ts'

interface Services {
  database: Database
  mails: Pick<Mails, 'toOwners'>
  /** How many questions a chatbot may answer within a day. */
  perDay: number
}

const REMEMBERED_MAX = 10_000
/** The database decides how often owners get a notice. It is asked again after this. */
const ASK_AGAIN_MS = HOUR_MS

/** Tells owners about unusual load. It is noted with every question during the load, and must cost nothing then. */
export class LoadNotices {
  readonly #services: Services
  /** When each chatbot was noted. */
  readonly #noted = new LRUCache<string, number>(countLimit(REMEMBERED_MAX))

  constructor(services: Services) {
    this.#services = services
  }

  async note(chatbot: PublicChatbot, cause: LoadCause, nowMs: number): Promise<void> {
    const notedAtMs = this.#noted.get(chatbot.id)
    // If the clock was set back, they must not wait until it has caught up.
    if (notedAtMs !== undefined && Math.abs(nowMs - notedAtMs) < ASK_AGAIN_MS) return
    const { database } = this.#services
    await database.write((tx) => noticeLoad(tx, chatbot, cause, this.#services, timestamp(nowMs)), chatbot.orgId)
    this.#noted.set(chatbot.id, nowMs)
  }
}
