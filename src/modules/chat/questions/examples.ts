import { foldCase } from '../../../platform/db/index.ts'
import { QUESTION_LENGTH_MAX } from './contract.ts'
import type { Example } from './queries.ts'
import type { VisitorQuestion } from './visitor-question.ts'

const EXAMPLES_MAX = 5
const WHITE_SPACE = /[\s\p{Cc}]+/gu

/** Returns a question on one line, cut to the length that is stored. */
export function shorten(text: string): string {
  const line = text.toWellFormed().replace(WHITE_SPACE, ' ').trim()
  // No text has more code points than UTF-16 units.
  if (line.length <= QUESTION_LENGTH_MAX) return line
  const characters = [...line.slice(0, 2 * QUESTION_LENGTH_MAX)]
  if (characters.length <= QUESTION_LENGTH_MAX) return characters.join('')
  return `${characters.slice(0, QUESTION_LENGTH_MAX - 1).join('')}…`
}

/** Adds a question to the examples of its group. If there are too many, one that was asked least makes room. */
export function addExample(
  examples: readonly Example[],
  { text, conversationId, messageId, now }: VisitorQuestion,
): Example[] {
  const question = shorten(text)
  const known = examples.find((example) => foldCase(example.question) === foldCase(question))
  const added: Example = {
    question: known?.question ?? question,
    count: (known?.count ?? 0) + 1,
    conversation_id: conversationId,
    message_id: messageId,
    last_asked_at: now,
  }
  if (known !== undefined) return examples.map((example) => (example === known ? added : example))
  if (examples.length < EXAMPLES_MAX) return [...examples, added]
  const least = examples.toSorted((one, other) => one.count - other.count || compare(one, other))[0]
  return [...examples.filter((example) => example !== least), added]
}

const compare = (one: Example, other: Example): number => (one.last_asked_at < other.last_asked_at ? -1 : 1)

/** The example that was asked most often; of several, the one that is known for longest. */
export const mostTypical = (examples: readonly Example[]): string =>
  examples.toSorted((one, other) => other.count - one.count)[0]?.question ?? ''
