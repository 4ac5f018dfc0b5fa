import { expect, test } from 'vitest'
import { LANGUAGES } from '../contract/languages.ts'
import { fill } from './fill.ts'
import { loadTexts } from './load-texts.ts'
import { pluralForm } from './plural.ts'

test('has the texts of every language', () => {
  const texts = loadTexts('notices', { languages: 'Languages' })
  expect(Object.keys(texts)).toEqual(LANGUAGES)
  expect(texts.de).toEqual({ languages: 'Sprachen' })
  expect(texts.de).toBe(texts.de)
})

test('has the English text where a translation is missing', () => {
  const texts = loadTexts('notices', { languages: 'Languages', more: { title: 'New' }, files: { other: '{n} files' } })
  expect(texts.de).toEqual({ languages: 'Sprachen', more: { title: 'New' }, files: { other: '{n} files' } })
  expect(loadTexts('no-such-file', { title: 'New' }).ja).toEqual({ title: 'New' })
})

test('plural forms are those of the language', () => {
  const { articleCount } = loadTexts('help-centre', { articleCount: { one: '', other: '' } }).pl
  expect([1, 2, 5, 1.5].map((n) => fill(pluralForm(articleCount, n, 'pl'), { n }))).toEqual([
    '1 artykuł',
    '2 artykuły',
    '5 artykułów',
    '1.5 artykułu',
  ])
})

test('fills in values, and leaves what it does not know', () => {
  expect(fill('{a} and {b}', { a: 1 })).toBe('1 and {b}')
  expect(fill('{n} for “{q}”, {other}', { n: '3', q: '{n} {q}' })).toBe('3 for “{n} {q}”, {other}')
})
