import fc from 'fast-check'
import { expect, test } from 'vitest'
import { excerptOf, type Matcher, markMatches } from './excerpt.ts'

const matching = (...words: string[]): Matcher => ({
  match: ({ text }) => (words.includes(text) ? words.indexOf(text) : undefined),
  withSingles: false,
})

/** Enough for any text of these tests. */
const plenty = () => ({ tokensLeft: 1_000_000 })

test('shows the passage with most of the words, cut at word boundaries', async () => {
  const filler = 'lorem ipsum '.repeat(50)
  const text = `An oak. ${filler}An ash. ${filler}An oak beside an ash. ${filler}`
  const { markup } = await excerptOf(text, matching('oak', 'ash'), 2, 60, plenty())
  expect(markup).toMatch(/^…(lorem|ipsum) .*An <mark>oak<\/mark> beside an <mark>ash<\/mark>\. .*(lorem|ipsum)…$/)
})

test('shows the beginning of a text without a match', async () => {
  const excerpt = await excerptOf('one two three four', matching('oak'), 1, 10, plenty())
  const none = { hasMatch: false, words: new Set(), isReadToEnd: true }
  expect(excerpt).toEqual({ markup: 'one two…', text: 'one two', ...none })
})

test('stops when the texts of a request have had too many words, and shows the beginning', async () => {
  const allowance = { tokensLeft: 5 }
  const text = 'one two three oak'
  expect(await excerptOf(text, matching('oak'), 1, 10, allowance)).toMatchObject({ hasMatch: true })
  const excerpt = await excerptOf(text, matching('oak'), 1, 10, allowance)
  const none = { hasMatch: false, words: new Set(), isReadToEnd: false }
  expect(excerpt).toEqual({ markup: 'one two…', text: 'one two', ...none })
})

test('lets others have a turn while it looks through a long text', async () => {
  let isDone = false
  const excerpt = excerptOf('one '.repeat(20_000), matching('oak'), 1, 10, plenty()).then(() => {
    isDone = true
  })
  let turns = 0
  for (; !isDone; turns++) await new Promise((resolve) => setImmediate(resolve))
  await excerpt
  expect(turns).toBeGreaterThanOrEqual(10)
})

test('cuts a very long word, but never inside a character', async () => {
  const { markup } = await excerptOf('𠮷'.repeat(1000), matching(), 1, 33, plenty())
  expect(markup.isWellFormed()).toBe(true)
  expect(markup.length).toBeLessThan(40)
})

test('merges adjacent pairs of characters into one mark', () => {
  expect(markMatches('東京都庁', matching('京都', '都庁'))).toBe('東<mark>京都庁</mark>')
})

test('escapes any text, limits its length and closes every mark', async () => {
  const text = fc.string({
    unit: fc.constantFrom('<', '>', '&', '"', "'", ' ', '\n', 'a', 'b', '日', '𠮷'),
    maxLength: 400,
  })
  await fc.assert(
    fc.asyncProperty(text, async (text) => {
      const { markup } = await excerptOf(text, matching('a', 'b', '日日'), 3, 40, plenty())
      expect(markup.replace(/<mark>([^<]*)<\/mark>/g, '$1')).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/)
      expect(markup.replace(/<\/?mark>|&\w+;|&#39;/g, '').length).toBeLessThan(120)
    }),
  )
})
