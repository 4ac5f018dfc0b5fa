import type { AnswerTexts } from './texts.ts'

export const en: AnswerTexts = {
  from: 'From {title}:',
  alsoFrom: 'See also {title}:',
  dontKnow: "I don't know the answer to that.",
  nearest: 'These articles may help:',
  askPerson: 'You can also ask a person.',
}
