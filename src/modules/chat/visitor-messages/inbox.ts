import { type Clock, timestamp } from '../../../platform/clock/index.ts'
import type { Language } from '../../../platform/contract/languages.ts'
import { ConstraintViolation } from '../../../platform/db/failures.ts'
import type { Database, Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { Keyring } from '../../../platform/keyring/index.ts'
import type { AttributedScan } from '../../codes/scanned-things/index.ts'
import {
  ConversationEnded,
  ConversationGone,
  type Conversations,
  MAY_WRITE,
  type StoredConversation,
  type StoredMessage,
  type VisitorFile,
} from '../conversations/index.ts'

export const TEXT_LENGTH_MAX = 4000
const KEY = /^[\w-]{16,64}$/

interface Chatbot {
  id: string
  orgId: OrgId
}

/** Who writes. */
interface Writer {
  chatbot: Chatbot
  /** Undefined for a visitor who has not written yet. */
  token: string | undefined
  scan: AttributedScan | undefined
  language: Language
}

interface Received<T> {
  result: T
  conversation: StoredConversation
  /** Another one than the writer had if a conversation began. */
  token: string
}

interface Services {
  conversations: Conversations
  database: Database
  keyring: Keyring
  clock: Clock
}

/** Stores what visitors write, in their conversation or in a new one. */
export class Inbox {
  readonly #services: Services

  constructor(services: Services) {
    this.#services = services
  }

  /** Throws `FilesGone`. A repeated key has no effect, also if the first response was lost. */
  addMessage(
    writer: Writer,
    message: { text: string; files: readonly VisitorFile[]; key: string | undefined },
  ): Promise<Received<StoredMessage>> {
    const { conversations } = this.#services
    const messageKey = KEY.test(message.key ?? '') ? (message.key as string) : null
    return this.#write(writer, messageKey, (tx, conversation, now) =>
      conversations.addVisitorMessage(tx, conversation, { ...message, messageKey }, now),
    )
  }

  /** `accepted`: the languages that the visitor reads. */
  async requestAgent(
    writer: Writer,
    { accepted, ...contact }: { contact_email?: string; contact_name?: string; accepted: string },
    { key, address }: { key: string | undefined; address: string },
  ): Promise<Received<StoredConversation>> {
    const { conversations, clock } = this.#services
    const { chatbot, token } = writer
    const requestKey = KEY.test(key ?? '') ? `agent ${key}` : null
    const found = await this.#find(chatbot, token)
    const known = found !== undefined && MAY_WRITE.visitor.includes(found.status) ? found : undefined
    const mayMail = await conversations.admitsTeamMail(chatbot, known, address, timestamp(clock()))
    return this.#write(writer, requestKey, (tx, conversation, now) =>
      conversations.requestAgent(tx, conversation, contact, now, { accepted, mayMail }),
    )
  }

  async #write<T>(writer: Writer, key: string | null, work: Work<T>): Promise<Received<T>> {
    const { chatbot, token } = writer
    const known = await this.#find(chatbot, token)
    if (known !== undefined && token !== undefined) {
      try {
        return await this.#writeTo(known, token, work)
      } catch (error) {
        if (!(error instanceof ConversationEnded) && !(error instanceof ConversationGone)) throw error
      }
    }
    return this.#begin(writer, key, work)
  }

  /**
   * The token of a new conversation is derived from the key of the request. So a browser that repeats a request whose
   * response it did not get finds the conversation that the first one began.
   */
  async #begin<T>(writer: Writer, key: string | null, work: Work<T>): Promise<Received<T>> {
    const { conversations, database, clock } = this.#services
    const { chatbot, scan, language } = writer
    const now = timestamp(clock())
    const start = { bot: chatbot, scanned: scan?.scanned ?? null, scanId: scan?.scanId ?? null, language, now }
    const started = conversations.startConversation(start)
    const token = key === null ? started.token : this.#deriveToken(writer, key)
    const begun = await this.#find(chatbot, token)
    if (begun !== undefined) return this.#writeTo(begun, token, work)
    try {
      const conversation = { ...started, token }
      const result = await database.write((tx) => work(tx, conversation, now), chatbot.orgId)
      return { result, conversation, token }
    } catch (error) {
      if (!(error instanceof ConstraintViolation)) throw error
      // The same request at the same time. What it has stored may not be committed yet, but the next transaction sees it.
      return database.write(async (tx) => {
        const other = await conversations.findByToken(tx, chatbot, token, now)
        if (other === undefined) throw error
        return { result: await work(tx, other, now), conversation: other, token }
      }, chatbot.orgId)
    }
  }

  async #writeTo<T>(conversation: StoredConversation, token: string, work: Work<T>): Promise<Received<T>> {
    const { database, clock } = this.#services
    const now = timestamp(clock())
    const result = await database.write((tx) => work(tx, conversation, now), conversation.orgId)
    return { result, conversation, token }
  }

  async #find(chatbot: Chatbot, token: string | undefined): Promise<StoredConversation | undefined> {
    const { conversations, database, clock } = this.#services
    if (token === undefined) return undefined
    return conversations.findByToken(database.read, chatbot, token, timestamp(clock()))
  }

  #deriveToken({ chatbot, token = '' }: Writer, key: string): string {
    return this.#services.keyring.sign('visit', `chat ${chatbot.id} ${token} ${key}`).signature.toString('base64url')
  }
}

type Work<T> = (tx: Tx, conversation: StoredConversation, now: ReturnType<typeof timestamp>) => Promise<T>
