import type { AnswerTexts } from './texts.ts'

export const pt: AnswerTexts = {
  from: 'De {title}:',
  alsoFrom: 'Veja também {title}:',
  dontKnow: 'Não sei a resposta a essa pergunta.',
  nearest: 'Estes artigos podem ajudar:',
  askPerson: 'Também pode perguntar a uma pessoa.',
}
