import { QueueFull } from '../../../../platform/bounded/index.ts'
import { DatabaseUnavailable } from '../../../../platform/db/failures.ts'
import type { Database, Listener } from '../../../../platform/db/index.ts'
import type { Logger } from '../../../../platform/telemetry/logging.ts'
import { CHATBOTS_TOPIC } from '../../chatbots/index.ts'
import { CONVERSATIONS_TOPIC, SIGNALS_TOPIC, type Signal } from '../../conversations/index.ts'
import type { AnswerListener, RunningAnswers } from '../../visitor-messages/index.ts'

/** An open page of a visitor. */
export interface Watcher {
  readonly conversationId: string
  /** The address of the chatbot. */
  readonly publicSlug: string
  /** Something has changed: reads it and sends it. */
  wake(): void
  send(event: string, data: unknown): void
  noteSeen(): Promise<void>
  end(): void
}

/** Knows the open pages of every conversation, and wakes them when a change is announced. Nothing is polled. */
export class LiveConversations implements AnswerListener {
  readonly #watchers = new Map<string, Set<Watcher>>()
  /** Requests that wait for an answer, by conversation. They count as open pages. */
  readonly #holds = new Map<string, number>()
  readonly #stopListening: () => void
  #answers: RunningAnswers | undefined
  #isNoting = false

  constructor(database: Database) {
    this.#stopListening = database.listen(this.#listener())
  }

  /** Who wants to know when visitors leave and come back. */
  connect(answers: RunningAnswers): void {
    this.#answers = answers
  }

  close(): void {
    this.#stopListening()
  }

  /** Returns the function that ends it. */
  watch(watcher: Watcher): () => void {
    const { conversationId } = watcher
    const known = this.#watchers.get(conversationId) ?? new Set()
    this.#watchers.set(conversationId, known.add(watcher))
    this.#answers?.visitorBack(conversationId)
    return () => {
      known.delete(watcher)
      if (known.size === 0) this.#watchers.delete(conversationId)
      this.#checkLeft(conversationId)
    }
  }

  /** Counts a request without a stream. Returns the function that ends it. */
  hold(conversationId: string): () => void {
    this.#holds.set(conversationId, (this.#holds.get(conversationId) ?? 0) + 1)
    this.#answers?.visitorBack(conversationId)
    return () => {
      const count = (this.#holds.get(conversationId) ?? 1) - 1
      if (count === 0) this.#holds.delete(conversationId)
      else this.#holds.set(conversationId, count)
      this.#checkLeft(conversationId)
    }
  }

  /** Notes that the pages are open, one after another. */
  async noteSeen(log: Logger): Promise<void> {
    if (this.#isNoting) return
    this.#isNoting = true
    try {
      // One page of each conversation is enough.
      for (const [watcher] of this.#watchers.values()) await watcher?.noteSeen()
    } catch (error) {
      const isTemporary = error instanceof DatabaseUnavailable || error instanceof QueueFull
      if (!isTemporary) log.error({ err: error }, 'open chats could not be noted')
    } finally {
      this.#isNoting = false
    }
  }

  isWatched(conversationId: string): boolean {
    return this.#watchers.has(conversationId) || this.#holds.has(conversationId)
  }

  written(conversationId: string, delta: Parameters<AnswerListener['written']>[1]): void {
    this.#send(conversationId, 'delta', delta)
  }

  changed(conversationId: string, change: Parameters<AnswerListener['changed']>[1]): void {
    this.#send(conversationId, 'state', change)
  }

  #send(conversationId: string, event: string, data: unknown): void {
    for (const watcher of this.#watchers.get(conversationId) ?? []) watcher.send(event, data)
  }

  #checkLeft(conversationId: string): void {
    if (!this.isWatched(conversationId)) this.#answers?.visitorLeft(conversationId)
  }

  #listener(): Listener {
    return {
      changed: (topic, key) => {
        if (topic === CONVERSATIONS_TOPIC) this.#wake(key)
        else if (topic === SIGNALS_TOPIC) this.#signal(key)
        else if (topic === CHATBOTS_TOPIC) this.#endOf(key)
      },
      interrupted: () => {},
      // Announcements may have been missed.
      resumed: () => {
        for (const conversationId of this.#watchers.keys()) this.#wake(conversationId)
      },
    }
  }

  #wake(conversationId: string): void {
    for (const watcher of this.#watchers.get(conversationId) ?? []) watcher.wake()
    void this.#answers?.conversationChanged(conversationId)
  }

  /** The chatbot may be paused now, or have another password. The pages come back, and are checked again. */
  #endOf(publicSlug: string): void {
    for (const watchers of this.#watchers.values()) {
      for (const watcher of watchers) if (watcher.publicSlug === publicSlug) watcher.end()
    }
  }

  #signal(key: string): void {
    const [conversationId = '', signal] = key.split(' ') as [string, Signal]
    if (signal === 'agent_typing') this.#send(conversationId, 'state', { typing: true })
    // The time of the mark is stored.
    else if (signal === 'agent_read') for (const watcher of this.#watchers.get(conversationId) ?? []) watcher.wake()
  }
}
