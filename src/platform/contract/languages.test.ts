import { expect, test } from 'vitest'
import { z } from 'zod'
import { interfaceLanguageFor } from '../text/interface-language.ts'
import { byLanguage, ContentLanguage } from './languages.ts'

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

test('an object by language has each language once, under its canonical tag', () => {
  const names = byLanguage(z.string())
  expect(names.parse({ 'pt-br': 'Cuidados', iw: 'טיפול' })).toEqual({ 'pt-BR': 'Cuidados', he: 'טיפול' })
  const refused = names.safeParse({ 'PT-br': 'a', en: 'b', 'pt-BR': 'c' }).error?.issues
  expect(refused).toMatchObject([{ path: ['pt-BR'], message: 'Is the same language as PT-br' }])
  expect(names.safeParse({ en: 'a', jp: 'b' }).error?.issues).toMatchObject([
    { path: ['jp'], message: expect.stringMatching(/^Must be a language tag such as/) },
  ])
})
