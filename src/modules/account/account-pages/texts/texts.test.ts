import { expect, test } from 'vitest'
import { expectSameTexts } from '../../../../testing/expect-same-texts.ts'
import { fill, TEXTS } from './index.ts'

test.each(Object.entries(TEXTS))('%s has every text, with the same placeholders as English', (_language, texts) => {
  expectSameTexts(texts, TEXTS.en)
})

test('fills in values, and leaves what it does not know', () => {
  expect(fill('{a} and {b}', { a: 1 })).toBe('1 and {b}')
})
