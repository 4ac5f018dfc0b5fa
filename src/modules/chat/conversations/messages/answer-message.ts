import type { Answer } from '../../answering/index.ts'
import { type NewMessage, toText } from './stored-message.ts'

/** Longer answers are cut, so that every event fits into a webhook. */
const ANSWER_LENGTH_MAX = 20_000
const CITATIONS_MAX = 20

/** The message that an answer of a chatbot becomes. */
export function toAnswerMessage({
  text,
  citations,
  nearest,
  model,
  credits,
  isAnswered,
  isLimited,
  language,
}: Answer): NewMessage {
  const cut = text.length <= ANSWER_LENGTH_MAX ? text : `${text.slice(0, ANSWER_LENGTH_MAX - 1).toWellFormed()}…`
  return {
    role: 'assistant',
    metadata: {
      citations: citations.slice(0, CITATIONS_MAX),
      nearest: nearest.slice(0, CITATIONS_MAX),
      model,
      credits_used: credits,
      is_answered: isAnswered,
      ...(isLimited && { is_limited: true }),
      language,
    },
    parts: [toText(cut)],
  }
}
