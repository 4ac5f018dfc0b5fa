import fc from 'fast-check'
import { expect, test } from 'vitest'
import { excerptOf, type Matcher, markMatches } from './excerpt.ts'

const matching = (...words: string[]): Matcher => ({
  match: ({ text }) => (words.includes(text) ? words.indexOf(text) : undefined),
  withSingles: false,
})

test('shows the passage with most of the words, cut at word boundaries', () => {
  const filler = 'lorem ipsum '.repeat(50)
  const text = `An oak. ${filler}An ash. ${filler}An oak beside an ash. ${filler}`
  const { markup } = excerptOf(text, matching('oak', 'ash'), 2, 60)
  expect(markup).toMatch(/^…(lorem|ipsum) .*An <mark>oak<\/mark> beside an <mark>ash<\/mark>\. .*(lorem|ipsum)…$/)
})

test('shows the beginning of a text without a match', () => {
  expect(excerptOf('one two three four', matching('oak'), 1, 10)).toEqual({ markup: 'one two…', hasMatch: false })
})

test('cuts a very long word, but never inside a character', () => {
  const { markup } = excerptOf('𠮷'.repeat(1000), matching(), 1, 33)
  expect(markup.isWellFormed()).toBe(true)
  expect(markup.length).toBeLessThan(40)
})

test('merges adjacent pairs of characters into one mark', () => {
  expect(markMatches('東京都庁', matching('京都', '都庁'))).toBe('東<mark>京都庁</mark>')
})

test('escapes any text, limits its length and closes every mark', () => {
  const text = fc.string({
    unit: fc.constantFrom('<', '>', '&', '"', "'", ' ', '\n', 'a', 'b', '日', '𠮷'),
    maxLength: 400,
  })
  fc.assert(
    fc.property(text, (text) => {
      const { markup } = excerptOf(text, matching('a', 'b', '日日'), 3, 40)
      expect(markup.replace(/<mark>([^<]*)<\/mark>/g, '$1')).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/)
      expect(markup.replace(/<\/?mark>|&\w+;|&#39;/g, '').length).toBeLessThan(120)
    }),
  )
})
