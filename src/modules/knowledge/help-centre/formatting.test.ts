import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '../../../platform/contract/languages.ts'
import { pluralForm } from '../../../platform/text/plural.ts'
import { formatDate, languageName } from './formatting.ts'
import { TEXTS } from './texts.ts'

test('the plural form follows the language', () => {
  expect([0, 1, 2].map((n) => pluralForm(TEXTS.en.articleCount, n, 'en'))).toEqual([
    '{n} articles',
    '{n} article',
    '{n} articles',
  ])
  expect(pluralForm(TEXTS.fr.articleCount, 0, 'fr')).toBe('{n} article')
  const forms = { one: 'one', few: 'few', other: 'other' }
  expect([1, 2, 1.5].map((n) => pluralForm(forms, n, 'en'))).toEqual(['one', 'other', 'other'])
})

test('a date is formatted for its language', () => {
  const moment = '2026-06-09T22:50:58.806+00:00'
  expect(formatDate(moment, 'de')).toBe('9. Juni 2026')
  expect(formatDate(moment, 'en')).toBe('9 June 2026')
  expect(formatDate(moment, 'ja')).toBe('2026年6月9日')
})

describe.each(LANGUAGES)('in %s', (language) => {
  const textsOf = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : Object.values(value as object).flatMap(textsOf)

  test('no text is still in English', () => {
    const english = new Set(textsOf({ ...TEXTS.en, articles: '', pages: '', articleCount: '' }))
    for (const text of textsOf(TEXTS[language])) {
      if (language !== 'en') expect(english).not.toContain(text)
    }
  })

  test('every language has a name, and dates are supported', () => {
    for (const other of LANGUAGES) expect(languageName(other, language)).not.toBe(other)
    expect(new Intl.DateTimeFormat(language).resolvedOptions().locale).toBe(language)
  })
})
