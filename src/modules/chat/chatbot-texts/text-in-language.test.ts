import { expect, test } from 'vitest'
import { type ChatbotTexts, textIn } from './index.ts'

const NONE = { welcome_message: null, welcome_subtitle: null, suggestions: null, away_message: null }
const BOT: ChatbotTexts = {
  welcome_message: 'Hello',
  welcome_subtitle: 'Ask about your machine',
  suggestions: ['How do I descale it?'],
  away_message: null,
  default_language: 'en',
  translations: {
    ar: { ...NONE, welcome_message: 'أهلا' },
    cs: { ...NONE, welcome_message: 'Dobrý den', suggestions: [] },
    'pt-BR': { ...NONE, welcome_message: 'Olá', away_message: 'Voltamos na segunda-feira.' },
  },
}

test.each([
  ['ar', 'أهلا', 'ar'],
  ['ar-EG,en;q=0.5', 'أهلا', 'ar'],
  ['cs', 'Dobrý den', 'cs'],
  ['pt', 'Olá', 'pt-BR'],
  ['en-GB', 'Hello', 'en'],
  ['ja', 'Hello', 'en'],
  ['ja, cs;q=0.5, en;q=0.4', 'Dobrý den', 'cs'],
  ['', 'Hello', 'en'],
  ['und', 'Hello', 'en'],
])('a visitor who reads %s is greeted in the language', (accepted, text, language) => {
  expect(textIn(BOT, 'welcome_message', accepted)).toEqual({ text, language })
})

test('each text that a translation lacks is the one of the chatbot itself, in its language', () => {
  expect(textIn(BOT, 'welcome_subtitle', 'ar')).toEqual({ text: 'Ask about your machine', language: 'en' })
  expect(textIn(BOT, 'suggestions', 'ar')).toEqual({ text: ['How do I descale it?'], language: 'en' })
  expect(textIn(BOT, 'suggestions', 'cs')).toEqual({ text: [], language: 'cs' })
  expect(textIn(BOT, 'away_message', 'cs')).toEqual({ text: null, language: 'en' })
})

test('the language of the chatbot itself may be unknown', () => {
  const unknown = { ...BOT, default_language: null }
  for (const accepted of ['en', 'und', '*', 'ja'])
    expect(textIn(unknown, 'welcome_message', accepted), accepted).toEqual({ text: 'Hello', language: null })
  expect(textIn(unknown, 'welcome_message', 'cs')).toEqual({ text: 'Dobrý den', language: 'cs' })
})
