import type { AnswerTexts } from './texts.ts'

export const pl: AnswerTexts = {
  from: 'Z artykułu {title}:',
  alsoFrom: 'Zobacz też {title}:',
  dontKnow: 'Nie znam odpowiedzi na to pytanie.',
  nearest: 'Te artykuły mogą pomóc:',
  askPerson: 'Możesz też zapytać naszego pracownika.',
}
