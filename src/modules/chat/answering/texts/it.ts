import type { AnswerTexts } from './texts.ts'

export const it: AnswerTexts = {
  from: 'Da {title}:',
  alsoFrom: 'Vedi anche {title}:',
  dontKnow: 'Non conosco la risposta a questa domanda.',
  nearest: 'Questi articoli potrebbero essere utili:',
  askPerson: 'Può anche chiedere a una persona.',
}
