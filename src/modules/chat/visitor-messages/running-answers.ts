import { FairQueue, QueueFull } from '../../../platform/bounded/index.ts'
import { type Clock, SECOND_MS, timestamp } from '../../../platform/clock/index.ts'
import { DatabaseUnavailable } from '../../../platform/db/failures.ts'
import type { Database } from '../../../platform/db/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import type { Metrics } from '../../../platform/telemetry/metrics.ts'
import { type Credits, INSUFFICIENT_CREDITS } from '../../account/credits/index.ts'
import type { Answer, AnswererChoice, Answering, AnsweringBot } from '../answering/index.ts'
import type { Conversations, StoredConversation, StoredMessage } from '../conversations/index.ts'
import { factsOf, historyBefore, languageOf, textOf } from './question.ts'

/** A visitor who reloads the page, or whose phone changes the network, is back sooner. */
const LEFT_MS = 10 * SECOND_MS
/** An answer is one of the next messages after its question. */
const LATER_MESSAGES_MAX = 100
/** Answers that a model writes take long, but little of this process. */
const LIMITS = { runningMax: 200, runningPerKeyMax: 50, waitingPerKeyMax: 100, waitMsMax: 20 * SECOND_MS }

interface AskedInChat {
  bot: AnsweringBot
  conversation: StoredConversation
  /** The visitor's token of the conversation. */
  token: string
  question: StoredMessage
  /** False beyond the limits of visitors: the answer must cost neither credits nor a request to a model. */
  mayCost: boolean
}

/** `failed`: the visitor may ask again. `cancelled`: nobody waits for the answer, or an agent has taken over. */
export type AnswerOutcome = 'stored' | 'failed' | 'cancelled'

/** An answer that is being written. */
interface Running {
  readonly questionId: string
  readonly asked: AskedInChat
  readonly left: AbortController
  readonly done: Promise<AnswerOutcome>
  text: string
  timer: NodeJS.Timeout | undefined
}

/** Passes what happens to an answer to the pages of its conversation. */
export interface AnswerListener {
  isWatched(conversationId: string): boolean
  /** `from`: where the text belongs, in UTF-16 units, so that a page that gets it twice shows it once. */
  written(conversationId: string, delta: { question: string; from: number; text: string }): void
  changed(conversationId: string, change: { answering: string | null; failed?: string }): void
}

interface Services {
  answering: Answering
  credits: Pick<Credits, 'available'>
  conversations: Conversations
  database: Database
  clock: Clock
  log: Logger
  metrics: Metrics
}

/**
 * Writes answers. One conversation has one answer at a time, in the order of its questions. An answer that nobody waits for
 * is cancelled. Then the question stays without an answer, and the page asks again when the visitor comes back.
 */
export class RunningAnswers {
  readonly #services: Services
  readonly #listener: AnswerListener
  readonly #queue = new FairQueue(LIMITS)
  /** The keys are conversations. The first answer is being written. */
  readonly #running = new Map<string, Running[]>()
  #isClosing = false

  constructor(services: Services, listener: AnswerListener) {
    this.#services = services
    this.#listener = listener
    services.metrics.watchQueue('chat_answers', this.#queue)
    this.#queue.onRefused = () => services.metrics.refused.inc({ limit: 'chat_answers' })
  }

  /**
   * Asks nothing if a person takes care of the conversation, or if the question has an answer. Asking the same question
   * again joins the answer that is being written. Never rejects.
   */
  async ask(asked: AskedInChat): Promise<AnswerOutcome> {
    const { conversations, database, log } = this.#services
    const { conversation, question } = asked
    try {
      if (conversation.status !== 'bot_active') return 'cancelled'
      const later = await conversations.listMessagesAfter(database.read, conversation, question.id, LATER_MESSAGES_MAX)
      if (later.some(({ role }) => role === 'assistant')) return 'stored'
      return await this.#start(asked)
    } catch (error) {
      const isTemporary = error instanceof DatabaseUnavailable
      if (!isTemporary) log.error({ err: error, conversation_id: conversation.id }, 'a question failed')
      return 'failed'
    }
  }

  /** The answer that is being written in a conversation. */
  current(conversationId: string): Pick<Running, 'questionId' | 'text'> | undefined {
    return this.#running.get(conversationId)?.[0]
  }

  /** All pages of the conversation are closed. */
  visitorLeft(conversationId: string): void {
    for (const running of this.#running.get(conversationId) ?? []) this.#startLeaving(running)
  }

  visitorBack(conversationId: string): void {
    for (const { timer } of this.#running.get(conversationId) ?? []) clearTimeout(timer)
  }

  /** Something about the conversation has changed. An agent who takes over ends the answer. */
  async conversationChanged(conversationId: string): Promise<void> {
    const [first] = this.#running.get(conversationId) ?? []
    if (first === undefined) return
    const conversation = await this.#reload(first.asked).catch(() => first.asked.conversation)
    if (conversation?.status === 'bot_active') return
    for (const { left } of this.#running.get(conversationId) ?? []) left.abort()
  }

  /** Called at shutdown: answers are cancelled, and the pages ask again elsewhere. */
  async close(): Promise<void> {
    this.#isClosing = true
    const all = [...this.#running.values()].flat()
    for (const { left } of all) left.abort()
    await Promise.all(all.map(({ done }) => done))
  }

  #start(asked: AskedInChat): Promise<AnswerOutcome> {
    const { conversation, question } = asked
    const waiting = this.#running.get(conversation.id) ?? []
    const known = waiting.find(({ questionId }) => questionId === question.id)
    if (known !== undefined) return known.done
    if (this.#isClosing) return Promise.resolve('cancelled')
    const left = new AbortController()
    const before = waiting.at(-1)?.done
    const { promise: done, resolve } = Promise.withResolvers<AnswerOutcome>()
    const running: Running = { questionId: question.id, asked, left, done, text: '', timer: undefined }
    this.#running.set(conversation.id, [...waiting, running])
    if (!this.#listener.isWatched(conversation.id)) this.#startLeaving(running)
    void this.#runAfter(before, running).then(resolve)
    return done
  }

  #startLeaving(running: Running): void {
    clearTimeout(running.timer)
    running.timer = setTimeout(() => running.left.abort(), LEFT_MS)
    running.timer.unref()
  }

  async #runAfter(before: Promise<AnswerOutcome> | undefined, running: Running): Promise<AnswerOutcome> {
    const { conversation, question } = running.asked
    await before
    this.#listener.changed(conversation.id, { answering: question.id })
    const outcome = await this.#run(running)
    clearTimeout(running.timer)
    const rest = (this.#running.get(conversation.id) ?? []).filter((one) => one !== running)
    if (rest.length === 0) this.#running.delete(conversation.id)
    else this.#running.set(conversation.id, rest)
    const failed = outcome === 'failed' ? { failed: question.id } : {}
    if (rest.length === 0 || outcome === 'failed') {
      this.#listener.changed(conversation.id, { answering: null, ...failed })
    }
    return outcome
  }

  async #run(running: Running): Promise<AnswerOutcome> {
    const { bot, conversation } = running.asked
    const { log } = this.#services
    const { signal } = running.left
    const run = (choice?: AnswererChoice) =>
      this.#queue
        .run(bot.orgId, () => this.#answer(running, choice), signal)
        .then((answer) => this.#store(running, answer))
    try {
      return await run().catch((error) => {
        if (!isShortOfCredits(error)) throw error
        // Others have used up the credits while the answer was written.
        this.#takeBack(running)
        return run('none')
      })
    } catch (error) {
      if (signal.aborted) return 'cancelled'
      const isKnown = error instanceof DatabaseUnavailable || error instanceof QueueFull
      if (!isKnown) log.error({ err: error, conversation_id: conversation.id }, 'an answer failed')
      return 'failed'
    }
  }

  /** The conversation as it is now. */
  #reload({ bot, token }: AskedInChat): Promise<StoredConversation | undefined> {
    const { conversations, database, clock } = this.#services
    return conversations.findByToken(database.read, bot, token, timestamp(clock()))
  }

  async #store({ asked }: Running, answer: Answer | undefined): Promise<AnswerOutcome> {
    const { bot, conversation, question } = asked
    const { database, clock, conversations } = this.#services
    if (answer === undefined) return 'cancelled'
    const now = timestamp(clock())
    const stored = await database.write(
      (tx) => conversations.storeAnswer(tx, conversation, answer, question.id, now),
      bot.orgId,
    )
    return stored === 'no longer wanted' ? 'cancelled' : 'stored'
  }

  /** What was shown of an answer does not count any more. */
  #takeBack(running: Running): void {
    const { conversation, question } = running.asked
    running.text = ''
    this.#listener.written(conversation.id, { question: question.id, from: 0, text: '' })
  }

  /**
   * A visitor gets some response in any case. Beyond the limits, and without enough credits, it costs nothing: where answers
   * are charged, the visitor is referred to the articles and to a person; where they are not, the articles are quoted.
   */
  async #choose({ bot, mayCost }: AskedInChat): Promise<AnswererChoice> {
    const { answering, credits, database } = this.#services
    const available = await credits.available(database.read, bot.orgId, 'visitor')
    if (available === Number.POSITIVE_INFINITY) return mayCost ? 'best' : 'embedded'
    if (!mayCost || available < answering.cheapestCredits(bot)) return 'none'
    return available < answering.creditsOf(bot) ? 'embedded' : 'best'
  }

  /** Undefined if there is nothing to answer any more. */
  async #answer(running: Running, choice?: AnswererChoice): Promise<Answer | undefined> {
    const { asked, left } = running
    const { bot, question } = asked
    const { answering, conversations, database } = this.#services
    const { read } = database
    const conversation = await this.#reload(asked)
    if (conversation?.status !== 'bot_active' || left.signal.aborted) return undefined
    const history = await historyBefore(conversations, read, conversation, question.id)
    const facts = await factsOf(read, conversation)
    const onText = (text: string) => {
      this.#listener.written(conversation.id, { question: question.id, from: running.text.length, text })
      running.text += text
    }
    const onReset = () => this.#takeBack(running)
    const text = textOf(question)
    const language = languageOf(text, conversation.language)
    const options = { signal: left.signal, onText, onReset }
    return answering.ask({ bot, text, language, history, facts }, options, choice ?? (await this.#choose(asked)))
  }
}

const isShortOfCredits = (error: unknown): boolean =>
  error instanceof ApiError && error.code === INSUFFICIENT_CREDITS.code
