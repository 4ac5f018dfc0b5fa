import type { AnswerTexts } from './texts.ts'

export const nl: AnswerTexts = {
  from: 'Uit {title}:',
  alsoFrom: 'Zie ook {title}:',
  dontKnow: 'Daar weet ik het antwoord niet op.',
  nearest: 'Misschien helpen deze artikelen:',
  askPerson: 'U kunt het ook aan een medewerker vragen.',
}
