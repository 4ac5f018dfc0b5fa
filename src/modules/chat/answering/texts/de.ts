import type { AnswerTexts } from './texts.ts'

export const de: AnswerTexts = {
  from: 'Aus {title}:',
  alsoFrom: 'Siehe auch {title}:',
  dontKnow: 'Darauf weiß ich leider keine Antwort.',
  nearest: 'Vielleicht helfen diese Artikel:',
  askPerson: 'Sie können auch einen Menschen fragen.',
}
