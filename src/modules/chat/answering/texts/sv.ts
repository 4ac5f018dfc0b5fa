import type { AnswerTexts } from './texts.ts'

export const sv: AnswerTexts = {
  from: 'Ur {title}:',
  alsoFrom: 'Se även {title}:',
  dontKnow: 'Det vet jag tyvärr inte.',
  nearest: 'De här artiklarna kan hjälpa:',
  askPerson: 'Du kan också fråga en person.',
}
