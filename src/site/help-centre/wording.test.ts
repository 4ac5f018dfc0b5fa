import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '../../modules/knowledge/languages/index.ts'
import { TEXTS } from './texts/index.ts'
import { fill, formFor, nameLanguage, writeDate } from './wording.ts'

test('what is filled in is not filled in again', () => {
  expect(fill('{n} for “{q}”, {other}', { n: '3', q: '{n} {q}' })).toBe('3 for “{n} {q}”, {other}')
})

test('a number has its form', () => {
  expect([0, 1, 2].map((n) => formFor(TEXTS.en.counted, n, 'en'))).toEqual([
    '{n} articles',
    '{n} article',
    '{n} articles',
  ])
  expect(formFor(TEXTS.fr.counted, 0, 'fr')).toBe('{n} article')
})

test('a date is that of its language', () => {
  const moment = '2026-06-09T22:50:58.806+00:00'
  expect(writeDate(moment, 'de')).toBe('9. Juni 2026')
  expect(writeDate(moment, 'ja')).toBe('2026年6月9日')
})

describe.each(LANGUAGES)('in %s', (language) => {
  const textsOf = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : Object.values(value as object).flatMap(textsOf)

  test('the same things are filled in as in English', () => {
    const placesOf = (texts: unknown) =>
      Object.entries(texts as object).map(([name, value]) => [
        name,
        textsOf(value).map((text) => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort()),
      ])
    expect(placesOf(TEXTS[language])).toEqual(placesOf(TEXTS.en))
  })

  test('no text is empty, shouts, or was left in English', () => {
    const english = new Set(textsOf({ ...TEXTS.en, articles: '', pages: '', counted: '' }))
    for (const text of textsOf(TEXTS[language])) {
      expect(text).toMatch(/^[^\s!！]([^!！]*[^\s!！])?$/)
      if (language !== 'en') expect(english).not.toContain(text)
    }
  })

  test('every language has a name, and the date is written in it', () => {
    for (const other of LANGUAGES) expect(nameLanguage(other, language)).not.toBe(other)
    expect(new Intl.DateTimeFormat(language).resolvedOptions().locale).toBe(language)
  })
})
