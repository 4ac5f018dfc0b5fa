import { expect, test } from 'vitest'
import type { Passage } from './retrieval/retrieve.ts'
import { toShortAnswer } from './short-answer.ts'

const passage = (markdown: string): Passage => ({
  id: 1,
  articleId: 'a',
  versionNumber: 1,
  language: 'en',
  title: 'Care',
  headings: [],
  markdown,
  plain: '',
  url: '',
  score: 1,
  isRelated: true,
})
/** Counts how many of the words a text has. */
const answer = (markdown: string, ...words: string[]) =>
  toShortAnswer(passage(markdown), (text) => words.filter((word) => text.includes(word)).length / words.length)

test('returns the best sentences in their order, at most three', () => {
  const text = 'The lid is red. Oil the hinge once a year. Use light oil. Wipe the rest away. Paint it blue.'
  expect(answer(text, 'hinge', 'year')).toBe('Oil the hinge once a year.')
  expect(answer(text, 'Oil', 'oil')).toBe('Oil the hinge once a year. Use light oil.')
  expect(answer('One oil. Two oil. Three oil. Four oil. Five oil.', 'oil').split('. ')).toHaveLength(3)
})

test('returns a short passage as a whole', () => {
  expect(answer('Oil it once a year. Use light oil.', 'year')).toBe('Oil it once a year. Use light oil.')
})

test('returns all steps with the sentence above them', () => {
  const steps = '1. Open the lid.\n2. Oil the hinge.\n3. Close the lid.'
  expect(answer(`The lid is red. So it shines.\n\nTo oil it:\n\n${steps}\n\nDone.`, 'hinge')).toBe(
    `To oil it:\n\n${steps}`,
  )
  expect(answer(`Something else.\n\nDo this with the lid today:\n\n${steps}`, 'today')).toBe(
    `Do this with the lid today:\n\n${steps}`,
  )
})

test('returns a whole table', () => {
  const table = '| Code | Meaning |\n|---|---|\n| E1 | Empty |\n| E2 | Hot |'
  expect(answer(`Codes are shown.\n\n${table}`, 'E2')).toBe(table)
})

test('without a matching word, returns the steps, otherwise how the passage begins', () => {
  expect(answer('About it. More.\n\n1. Open\n2. Close', 'x')).toBe('1. Open\n2. Close')
  expect(answer('One. Two. Three. Four.', 'x')).toMatch(/^One\./)
  expect(answer('', 'x')).toBe('')
})

test('a sentence is never cut within its code', () => {
  const command = '`frob say "Hi! there" --to <name>`'
  expect(answer(`The lid is red. It shines. Say ${command} once. Wipe it. Paint it blue.`, 'Say')).toBe(
    `Say ${command} once.`,
  )
  const block = '```sh\nfrob connect <host>\n```'
  expect(answer(`To connect:\n\n${block}\n\nDone. It works. All of it.`, 'connect', 'frob')).toBe(
    `To connect:\n\n${block}`,
  )
})
