import { QueueFull } from '../../../../platform/bounded/index.ts'
import { type Clock, timestamp } from '../../../../platform/clock/index.ts'
import type { Language } from '../../../../platform/contract/languages.ts'
import { DatabaseUnavailable } from '../../../../platform/db/failures.ts'
import type { Database } from '../../../../platform/db/index.ts'
import type { EventStream } from '../../../../platform/event-stream/index.ts'
import type { Logger } from '../../../../platform/telemetry/logging.ts'
import type { Conversations, StoredConversation } from '../../conversations/index.ts'
import type { PublicChatbot } from '../chatbots/index.ts'
import type { RenderedMessages } from '../messages/rendered-messages.ts'
import { isWithPerson, stateOf } from '../pages/state.ts'
import { TEXTS } from '../texts.ts'
import type { Watcher } from './live-conversations.ts'

/** How many messages a page shows when it is opened. Earlier ones are not shown. */
export const MESSAGES_SHOWN_MAX = 100
const MESSAGES_PER_READ = 50

export interface StreamServices {
  conversations: Conversations
  database: Database
  messages: RenderedMessages
  clock: Clock
  log: Logger
}

export interface WatchedConversation {
  chatbot: PublicChatbot
  conversation: StoredConversation
  token: string
  language: Language
}

/** Sends what happens in a conversation to one page: messages in order, each with its id, and the state. */
export class VisitorStream implements Watcher {
  readonly #services: StreamServices
  readonly #watched: WatchedConversation
  readonly #stream: EventStream
  #position: string | null
  #conversation: StoredConversation
  #sentState = ''
  #isStale = false
  #updating: Promise<void> | undefined

  /** `position` is the id of the last message that the page has. */
  constructor(services: StreamServices, watched: WatchedConversation, stream: EventStream, position: string | null) {
    this.#services = services
    this.#watched = watched
    this.#stream = stream
    this.#position = position
    this.#conversation = watched.conversation
  }

  get conversationId(): string {
    return this.#watched.conversation.id
  }

  get publicSlug(): string {
    return this.#watched.chatbot.publicSlug
  }

  wake(): void {
    void this.refresh()
  }

  send(event: string, data: unknown): void {
    this.#stream.send(event, data)
  }

  end(): void {
    this.#stream.end()
  }

  /** Resolves once everything that had happened before was sent. Changes during an update are read afterwards. */
  async refresh(): Promise<void> {
    this.#isStale = true
    this.#updating ??= this.#updateWhileStale().finally(() => {
      this.#updating = undefined
    })
    await this.#updating
  }

  /** While a person is asked for, a page that is open makes mails to the visitor unnecessary. */
  async noteSeen(): Promise<void> {
    const { conversations, database, clock } = this.#services
    const { token } = this.#watched
    const conversation = this.#conversation
    if (conversation.status !== 'agent_requested' && conversation.status !== 'open') return
    const now = timestamp(clock())
    await database.write((tx) => conversations.noteVisitorSeen(tx, conversation, token, now), conversation.orgId)
  }

  async #updateWhileStale(): Promise<void> {
    try {
      while (this.#isStale && this.#stream.isOpen) {
        this.#isStale = false
        await this.#update()
      }
    } catch (error) {
      const isTemporary = error instanceof DatabaseUnavailable || error instanceof QueueFull
      if (!isTemporary) this.#services.log.error({ err: error }, 'a stream of a chat failed')
      // The page comes back, and continues after the last message that it has.
      this.#stream.end()
    }
  }

  async #update(): Promise<void> {
    const { conversations, database, clock } = this.#services
    const { chatbot, token, language } = this.#watched
    const found = await conversations.findByToken(database.read, chatbot, token, timestamp(clock()))
    if (found === undefined) {
      this.#stream.end()
      return
    }
    const hasNewStatus = found.status !== this.#conversation.status
    this.#conversation = found
    await this.#sendMessages()
    const state = { ...stateOf(found, TEXTS[language]), read_at: found.agentReadAt }
    const text = JSON.stringify(state)
    if (text !== this.#sentState) this.#stream.send('state', state)
    const isFirst = this.#sentState === ''
    this.#sentState = text
    if (isFirst || hasNewStatus) await this.noteSeen()
  }

  async #sendMessages(): Promise<void> {
    const { conversations, database, messages } = this.#services
    const { chatbot, language } = this.#watched
    for (;;) {
      const { read } = database
      const next =
        this.#position === null
          ? await conversations.listLastMessages(read, this.#conversation, MESSAGES_SHOWN_MAX)
          : await conversations.listMessagesAfter(read, this.#conversation, this.#position, MESSAGES_PER_READ)
      for (const message of next) {
        const html = await messages.render(chatbot, language, message, { mayAsk: !isWithPerson(this.#conversation) })
        const { id, role, created_at } = message
        this.#stream.send('message', { id, role, created_at, html }, id)
        this.#position = id
      }
      if (next.length < MESSAGES_PER_READ || !this.#stream.isOpen) return
    }
  }
}
