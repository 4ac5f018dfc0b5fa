import type { AnswerTexts } from './texts.ts'

export const es: AnswerTexts = {
  from: 'De {title}:',
  alsoFrom: 'Véase también {title}:',
  dontKnow: 'No sé la respuesta a esa pregunta.',
  nearest: 'Estos artículos pueden ayudarle:',
  askPerson: 'También puede preguntar a una persona.',
}
