import { Counter } from 'prom-client'
import { FairQueue, QueueFull } from '../../../../platform/bounded/index.ts'
import { type Clock, SECOND_MS } from '../../../../platform/clock/index.ts'
import { Breaker, type LlmClient, LlmError, type LlmModel, type LlmSettings } from '../../../../platform/llm/index.ts'
import type { Logger } from '../../../../platform/telemetry/logging.ts'
import type { Metrics } from '../../../../platform/telemetry/metrics.ts'
import type { Answer, AnsweringBot, AskedQuestion } from '../answer.ts'
import type { Answerer, AnswerOptions } from '../answerer.ts'
import { CONFIDENCE_MIN } from '../retrieval/confidence.ts'
import type { Retrieved } from '../retrieval/retrieve.ts'
import { AnswerWriter, NotInPassages, SecretFound } from './answer-writer.ts'
import { modelFor } from './model-names.ts'
import { buildPrompt, type Prompt } from './prompt.ts'
import { Unsupported } from './supported.ts'

interface ModelServices {
  llm: LlmSettings
  client: LlmClient
  embedded: Answerer
  clock: Clock
  log: Logger
  metrics: Metrics
}

/** An endpoint has limits of its own, and each answer holds a connection for some seconds. */
const LIMITS = { runningMax: 64, runningPerKeyMax: 16, waitingPerKeyMax: 32, waitMsMax: 5 * SECOND_MS }

type ModelOutcome =
  | LlmError['kind']
  | 'answered'
  | 'not_in_passages'
  | 'unsupported'
  | 'secret'
  | 'busy'
  | 'paused'
  | 'error'

/** Returns a function that finds the model of a bot. All models share the limits of requests at once. */
export function createModels(services: ModelServices): (bot: AnsweringBot) => Answerer | undefined {
  const { llm, metrics } = services
  const queue = new FairQueue(LIMITS)
  metrics.watchQueue('models', queue)
  const answers = new Counter({
    name: 'waymark_model_answers_total',
    help: 'Questions for a language model, by their outcome.',
    labelNames: ['model', 'outcome'],
    registers: [metrics.registry],
  })
  const answerers = new Map(llm.models.map((model) => [model.name, new ModelAnswerer(services, model, queue, answers)]))
  return (bot) => {
    const model = modelFor(llm, bot)
    return model && answerers.get(model.name)
  }
}

/**
 * Lets a language model write answers from the passages that were found. It rejects if it cannot; then the embedded answerer
 * answers. If there are no passages, or the model says that they do not answer the question, it is the embedded one who says
 * so.
 */
class ModelAnswerer implements Answerer {
  readonly #services: ModelServices
  readonly #model: LlmModel
  readonly #queue: FairQueue
  readonly #breaker: Breaker
  readonly #answers: Counter<'model' | 'outcome'>
  /** An outage is logged once, not for every question. */
  #hasFailed = false

  constructor(services: ModelServices, model: LlmModel, queue: FairQueue, answers: Counter<'model' | 'outcome'>) {
    this.#services = services
    this.#model = model
    this.#queue = queue
    this.#answers = answers
    this.#breaker = new Breaker(services.clock)
  }

  creditsOf(): number {
    return this.#model.credits
  }

  async answer(question: AskedQuestion, retrieved: Retrieved, options: AnswerOptions): Promise<Answer> {
    const { embedded } = this.#services
    const { passages, confidence } = retrieved
    if (passages.length === 0 || confidence < CONFIDENCE_MIN) return embedded.answer(question, retrieved, options)
    try {
      const ask = () => this.#ask(question, retrieved, options)
      const answer = await this.#queue.run(question.bot.orgId, ask, options.signal)
      this.#count('answered')
      this.#hasFailed = false
      return answer
    } catch (error) {
      if (options.signal.aborted) throw error
      this.#report(error, question)
      if (error instanceof NotInPassages) return embedded.answer(question, { ...retrieved, confidence: 0 }, options)
      throw error
    }
  }

  async #ask(question: AskedQuestion, { passages, language }: Retrieved, options: AnswerOptions): Promise<Answer> {
    const prompt = buildPrompt(question, passages, language)
    const writer = new AnswerWriter(prompt, language, options.onText)
    try {
      await this.#read(prompt, writer, options.signal)
      const { text, citations } = writer.end()
      const { name: model, credits } = this.#model
      return { text, citations, model, credits, isAnswered: true, language, nearest: [] }
    } catch (error) {
      if (writer.hasShown) options.onReset?.()
      throw error
    }
  }

  async #read({ messages }: Prompt, writer: AnswerWriter, signal: AbortSignal): Promise<void> {
    if (!this.#breaker.tryBegin()) throw new Paused()
    try {
      for await (const text of this.#services.client.chat(this.#model.name, messages, signal)) writer.write(text)
      this.#breaker.succeed()
    } catch (error) {
      if (signal.aborted) this.#breaker.leave()
      else if (error instanceof LlmError && error.isOfEndpoint) this.#breaker.fail()
      else this.#breaker.succeed()
      throw error
    }
  }

  /** Logs nothing that somebody wrote. */
  #report(error: unknown, { bot }: AskedQuestion): void {
    const { log, metrics } = this.#services
    const facts = { model: this.#model.name, org_id: bot.orgId, chatbot_id: bot.id }
    if (error instanceof NotInPassages) this.#count('not_in_passages')
    else if (error instanceof Unsupported) this.#count('unsupported')
    else if (error instanceof Paused) this.#count('paused')
    else if (error instanceof QueueFull) {
      metrics.refused.inc({ limit: 'models' })
      this.#count('busy')
    } else if (error instanceof SecretFound) {
      this.#count('secret')
      log.info(facts, 'a model repeated its instructions, so its answer was not used')
    } else if (error instanceof LlmError) {
      this.#count(error.kind)
      const details = { ...facts, reason: error.kind, status: error.status }
      if (!this.#hasFailed) log.warn(details, `a model failed, the embedded answerer answers: ${error.message}`)
      this.#hasFailed = true
    } else {
      this.#count('error')
      log.error({ ...facts, err: error }, 'failed to answer with a model')
    }
  }

  #count(outcome: ModelOutcome): void {
    this.#answers.inc({ model: this.#model.name, outcome })
  }
}

/** The endpoint failed too often. It is left alone for a while. */
class Paused extends Error {
  constructor() {
    super('the endpoint failed too often, it is tried again later')
    this.name = 'Paused'
  }
}
