import { afterAll, expect, test } from 'vitest'
import { newId, type OrgId } from '../../../../platform/ids/index.ts'
import { distinctWords } from '../../../../testing/data/distinct-words.ts'
import { createAnalyser } from './analyser.ts'

const orgId = newId() as OrgId
const analyser = createAnalyser()
afterAll(() => analyser.close())

const CONTENT_LENGTH_MAX = 500 * 1024
const text = (plain: string, title = 'Care') => ({ language: 'en', title, content: plain, plain })

test('the event loop goes on while a large text is analysed', async () => {
  let turns = 0
  let isDone = false
  const count = () => {
    turns++
    if (!isDone) setImmediate(count)
  }
  const analysed = analyser.analyse(orgId, text(distinctWords(CONTENT_LENGTH_MAX)), undefined)
  count()
  await analysed
  isDone = true
  expect(turns).toBeGreaterThan(50)
})

test('a text of distinct words has a limited number of terms and words, in short lists', async () => {
  const entry = (await analyser.analyse(orgId, text(distinctWords(CONTENT_LENGTH_MAX)), undefined))!
  expect(entry.terms.split(' ')).toHaveLength(entry.termCount)
  expect(entry.terms.length).toBeLessThan(900_000)
  const lists = entry.wordLists.map((list): string[] => JSON.parse(list))
  expect(lists.flat().length).toBeGreaterThan(5000)
  expect(lists.flat().length).toBeLessThan(12_000)
  expect(Math.max(...lists.map((list) => list.length))).toBe(250)
  expect(new Set(lists.flat()).size).toBe(lists.flat().length)
})

test('a text with the digest of the indexed one is not analysed, a changed one is', async () => {
  const { digest } = (await analyser.analyse(orgId, text('Oil'), undefined))!
  expect(await analyser.analyse(orgId, text('Oil'), digest)).toBeUndefined()
  for (const changed of [text('Oils'), text('Oil', 'Cares'), text('eOil', 'Car')]) {
    expect(await analyser.analyse(orgId, changed, digest)).toMatchObject({ digest: expect.not.stringMatching(digest) })
  }
})

test('keys are sorted, and those of one organisation and language are neighbours', async () => {
  const words = ['upholstery', 'printer', 'cupboard', 'oak'].map((word, n) => ({ id: n + 1, language: 'en', word }))
  const { keys, wordIds } = await analyser.keysOf(orgId, words)
  expect([...keys]).toEqual([...keys].sort((a, b) => a - b))
  expect(new Set([...keys].map((key) => key >> 24)).size).toBe(1)
  // Words with fewer than four letters have no keys.
  expect(new Set(wordIds)).toEqual(new Set([1, 2, 3]))
})

/** Texts that take the slow paths of tokenizing. */
test.each([
  ['one word', 'a'.repeat(CONTENT_LENGTH_MAX)],
  ['no word', ' '.repeat(CONTENT_LENGTH_MAX)],
  ['accents', 'e\u0301\u0301\u0301 '.repeat(CONTENT_LENGTH_MAX / 8)],
  ['one mark after the other', `e${'\u0301'.repeat(CONTENT_LENGTH_MAX / 2)}`],
  ['half-width kana', 'ﾌﾟﾘﾝﾀｰ'.repeat(CONTENT_LENGTH_MAX / 18)],
  ['rare characters', '𠮷𠀋𡈽'.repeat(CONTENT_LENGTH_MAX / 12)],
  ['apostrophes', "l'e'a'u".repeat(CONTENT_LENGTH_MAX / 7)],
  ['ligatures that unfold', '\ufdfa'.repeat(CONTENT_LENGTH_MAX / 3)],
])('half a megabyte of %s stays within the limits of the thread', async (_name, plain) => {
  await expect(analyser.analyse(orgId, text(plain), undefined)).resolves.toMatchObject({ language: 'en' })
})
