import type { Db } from '../../../platform/db/index.ts'
import type { PublicUrlOf } from '../../../platform/http/index.ts'
import type { Answer, AnsweringBot, AskedQuestion } from './answer.ts'
import type { Answerer, AnswererChoice, AnswerOptions } from './answerer.ts'
import { refer } from './embedded.ts'
import type { FindSimilar } from './retrieval/mix-by-rank.ts'
import { retrieve } from './retrieval/retrieve.ts'

export interface AnsweringServices {
  read: Db
  /** The address that links to articles begin with. */
  publicUrlOf: PublicUrlOf
  /** Always works: without a model and without the network. */
  embedded: Answerer
  /** Tried first, if there is one for the bot. */
  modelOf?: (bot: AnsweringBot) => Answerer | undefined
  /** Finds passages by their meaning, if there is a model for that. */
  findSimilar?: FindSimilar
}

/** Answers questions of visitors from published articles. */
export class Answering {
  readonly #services: AnsweringServices

  constructor(services: AnsweringServices) {
    this.#services = services
  }

  /** What an answer costs at least: a model that fails is replaced by the embedded answerer. */
  cheapestCredits(bot: AnsweringBot): number {
    return this.#services.embedded.creditsOf(bot)
  }

  /** What an answer costs at most. */
  creditsOf(bot: AnsweringBot): number {
    return (this.#services.modelOf?.(bot) ?? this.#services.embedded).creditsOf(bot)
  }

  async ask(question: AskedQuestion, options: AnswerOptions, choice: AnswererChoice = 'best'): Promise<Answer> {
    const { read, publicUrlOf, embedded, modelOf, findSimilar } = this.#services
    const publicUrl = await publicUrlOf(question.bot.orgId)
    const mayUseModels = choice === 'best'
    const retrieved = await retrieve(read, publicUrl, question, mayUseModels ? findSimilar : undefined)
    if (choice === 'none') return refer(question, retrieved, options)
    const model = mayUseModels ? modelOf?.(question.bot) : undefined
    if (model === undefined) return embedded.answer(question, retrieved, options)
    try {
      return await model.answer(question, retrieved, options)
    } catch (error) {
      if (options.signal.aborted) throw error
      return embedded.answer(question, retrieved, options)
    }
  }
}
