import type { AnswerTexts } from './texts.ts'

export const da: AnswerTexts = {
  from: 'Fra {title}:',
  alsoFrom: 'Se også {title}:',
  dontKnow: 'Det kender jeg ikke svaret på.',
  nearest: 'Disse artikler kan måske hjælpe:',
  askPerson: 'Du kan også spørge en person.',
}
