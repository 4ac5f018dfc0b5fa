import { expect, test } from 'vitest'
import { passage } from '../../../../testing/data/answers.ts'
import { Marks } from './marks.ts'

const OIL = passage({
  title: 'Oiling',
  plain: 'Oil the hinges once a year with 5 ml of oil.',
  url: 'https://a.example/oil',
})
const CLEAN = passage({ title: 'Cleaning', plain: 'Wipe the seat with a dry cloth.' })
const MORE_OIL = passage({ articleId: OIL.articleId, title: 'Oiling', plain: 'Use linseed oil in winter.' })
const GERMAN = passage({ language: 'de', title: 'Ölen', plain: 'Die Scharniere einmal im Jahr mit 5 ml Öl ölen.' })
const GIVEN = [OIL, CLEAN, MORE_OIL, GERMAN]

const check = (text: string, passages = GIVEN) => {
  const marks = new Marks(passages, 'en')
  return { text: marks.check(text), cited: marks.citations.map(({ title }) => title) }
}

test.each([
  ['Oil the hinges [1].', 'Oil the hinges [1].', ['Oiling']],
  ['Oil the hinges. [1] Wipe the seat. [2]', 'Oil the hinges. [1] Wipe the seat. [2]', ['Oiling', 'Cleaning']],
  ['Wipe it dry [2]. Oil it[1].', 'Wipe it dry [1]. Oil it [2].', ['Cleaning', 'Oiling']],
  ['Oil it with linseed [1][3].', 'Oil it with linseed [1].', ['Oiling']],
  ['Wipe the oil [1, 2].', 'Wipe the oil [1] [2].', ['Oiling', 'Cleaning']],
  ['Oil it【1†source】.', 'Oil it [1].', ['Oiling']],
])('keeps marks that are right, numbered by article: %j', (text, expected, cited) => {
  expect(check(text)).toEqual({ text: expected, cited })
})

test.each([
  ['a number that was not given', 'Oil the hinges [7].', 'Oil the hinges.'],
  ['the number 0', 'Oil the hinges [0].', 'Oil the hinges.'],
  ['a passage about something else', 'You get a refund of 1000 euros [1].', 'You get a refund of 1000 euros.'],
  ['only function words in common', 'It is the one with a [2].', 'It is the one with a.'],
  ['nothing before it', '[1]', ''],
])('removes a mark with %s', (_name, text, expected) => {
  expect(check(text)).toEqual({ text: expected, cited: [] })
})

test('a mark belongs to its own sentence, not to one before', () => {
  expect(check('Oil the hinges. You get a refund [1].')).toEqual({
    text: 'Oil the hinges. You get a refund.',
    cited: [],
  })
  expect(check('Oil the hinges:\nRefunds are free [1]').cited).toEqual([])
})

test('a translation is compared by its numbers', () => {
  expect(check('Lubricate the joints with 5 ml [4].').cited).toEqual(['Ölen'])
  expect(check('Lubricate the joints with 50 ml [4].').cited).toEqual([])
  expect(check('Lubricate the joints yearly [4].').cited).toEqual(['Ölen'])
})

test('a citation names the version, and has a snippet of at most 700 characters', () => {
  const long = passage({ plain: `Oil ${'🪑 und Tisch '.repeat(100)}`, versionNumber: 12 })
  const marks = new Marks([long], 'en')
  marks.check('Oil [1]')
  const [citation] = marks.citations
  expect(citation).toMatchObject({ article_id: long.articleId, version_number: 12, url: '' })
  expect(citation?.snippet).toMatch(/^Oil .*…$/)
  expect(citation?.snippet.isWellFormed()).toBe(true)
  expect(citation?.snippet.length).toBeLessThanOrEqual(700)
})

test('Japanese sentences are compared by pairs of characters', () => {
  const given = passage({ language: 'ja', plain: '年に一度、ちょうつがいに油をさします。' })
  const marks = new Marks([given], 'ja')
  expect(marks.check('年に一度油をさします。[1]返金します。[1]')).toBe('年に一度油をさします。 [1]返金します。')
})

test('many marks and spaces take no time', () => {
  expect(check(`Oil${' '.repeat(8000)}x${'[1]'.repeat(2000)}`).cited).toEqual(['Oiling'])
  expect(check(`Oil${'[1, '.repeat(4000)}`).cited).toEqual([])
})
