import { expect, test } from 'vitest'
import { textIn } from './index.ts'

test.each([
  ['he', { he: 'a', en: 'b' }, 'he'],
  ['de-AT', { en: 'a', de: 'b', 'de-CH': 'c' }, 'de'],
  ['pt', { en: 'a', 'pt-BR': 'b' }, 'pt-BR'],
  ['ja', { en: 'a', fr: 'b' }, 'fr'],
  ['ja', { en: 'a', 'fr-CA': 'b' }, 'fr-CA'],
  ['ja', { de: 'a', en: 'b' }, 'en'],
  ['ja', { de: 'a' }, 'de'],
])('a reader of %s gets, of %j on a French page, the text in %s', (language, text, shown) => {
  expect(textIn(text as Record<string, string>, language, 'fr')).toEqual({
    text: (text as Record<string, string>)[shown],
    language: shown,
  })
})

test('a text for all visitors is in the default language', () => {
  expect(textIn('Bonjour', 'ja', 'fr')).toEqual({ text: 'Bonjour', language: 'fr' })
})
