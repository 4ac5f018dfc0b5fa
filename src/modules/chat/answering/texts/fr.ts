import type { AnswerTexts } from './texts.ts'

export const fr: AnswerTexts = {
  from: 'Extrait de {title} :',
  alsoFrom: 'Voir aussi {title} :',
  dontKnow: 'Je ne connais pas la réponse à cette question.',
  nearest: 'Ces articles peuvent vous aider :',
  askPerson: 'Vous pouvez aussi demander à une personne.',
}
