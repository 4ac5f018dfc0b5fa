import type { AnswerTexts } from './texts.ts'

export const fi: AnswerTexts = {
  from: 'Artikkelista {title}:',
  alsoFrom: 'Katso myös {title}:',
  dontKnow: 'En tiedä vastausta tähän.',
  nearest: 'Näistä artikkeleista voi olla apua:',
  askPerson: 'Voit myös kysyä ihmiseltä.',
}
