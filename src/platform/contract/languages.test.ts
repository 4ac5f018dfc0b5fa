import { expect, test } from 'vitest'
import { interfaceLanguageFor } from '../text/interface-language.ts'
import { ContentLanguage } from './languages.ts'

test.each([
  ['en', 'en'],
  ['pt-br', 'pt-BR'],
  ['ZH-hant-tw', 'zh-Hant-TW'],
  ['iw', 'he'],
  ['es-419', 'es-419'],
  ['de-1996', 'de-1996'],
  ['fil', 'fil'],
])('%s is stored as %s', (sent, stored) => {
  expect(ContentLanguage.parse(sent)).toBe(stored)
})

test.each([
  ...[
    '',
    ' ',
    'd',
    'english',
    'jp',
    'xx',
    'und',
    'und-Latn',
    'root',
    'x-klingon',
    'i-klingon',
    'pt_BR',
    'de-',
    'de-DE-',
  ],
  ...['de-x-formal', 'de-u-co-phonebk', 'de-DE-1996-1996', '__proto__', `de-${'abcdefgh-'.repeat(4)}a`, 'de\n', 'دے'],
])('%j is not the tag of a language', (tag) => {
  expect(ContentLanguage.safeParse(tag).error?.issues[0]?.message).toMatch(/^Must be a language tag such as de, pt-BR/)
})

test.each([
  ['de-AT', 'de'],
  ['nb-NO', 'no'],
  ['zh-Hant', 'zh'],
  ['tlh', undefined],
])('readers of %s get the interface in %s', (tag, language) => {
  expect(interfaceLanguageFor(tag)).toBe(language)
})
