import type { Answer, AnsweringBot, AskedQuestion } from './answer.ts'
import type { Retrieved } from './retrieval/retrieve.ts'

/** Who may answer: a model if the bot has one, only the embedded answerer, or none, so that visitors are referred elsewhere. */
export type AnswererChoice = 'best' | 'embedded' | 'none'

export interface AnswerOptions {
  /** Aborted when no one waits for the answer any more. */
  signal: AbortSignal
  /** Receives the text piece by piece, as it is written. */
  onText?: (delta: string) => void
  /** What `onText` received so far does not count any more: a model failed, and the text begins again. */
  onReset?: () => void
}

/** One way to make an answer of the passages that were found for a question. */
export interface Answerer {
  /** What an answer to this bot's question costs. */
  creditsOf(bot: AnsweringBot): number
  /** Rejects if it cannot answer at all. "I don't know" is an answer. */
  answer(question: AskedQuestion, retrieved: Retrieved, options: AnswerOptions): Promise<Answer>
}
