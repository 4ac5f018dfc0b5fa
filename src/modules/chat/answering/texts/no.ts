import type { AnswerTexts } from './texts.ts'

export const no: AnswerTexts = {
  from: 'Fra {title}:',
  alsoFrom: 'Se også {title}:',
  dontKnow: 'Det vet jeg dessverre ikke.',
  nearest: 'Disse artiklene kan hjelpe:',
  askPerson: 'Du kan også spørre en person.',
}
