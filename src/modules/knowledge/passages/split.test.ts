import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitIntoPassages } from './split.ts'

const words = (count: number) => Array.from({ length: count }, (_, n) => `word${n}`).join(' ')
const markdownOf = (text: string) => splitIntoPassages(text).map(({ markdown }) => markdown)

test('puts each section under its headings, outermost first', () => {
  const text =
    'Before\n\n# Care\n\nOil it.\n\n## Wood\n\nWax it.\n\n### Oak\n\nTwice.\n\n## Metal\n\nDry it.\n\nSide\n====\n\nEnd'
  expect(splitIntoPassages(text)).toEqual([
    { headings: [], markdown: 'Before' },
    { headings: ['Care'], markdown: 'Oil it.' },
    { headings: ['Care', 'Wood'], markdown: 'Wax it.' },
    { headings: ['Care', 'Wood', 'Oak'], markdown: 'Twice.' },
    { headings: ['Care', 'Metal'], markdown: 'Dry it.' },
    { headings: ['Side'], markdown: 'End' },
  ])
})

test('the explicit id of a heading is not part of it', () => {
  expect(splitIntoPassages('# Care {#oil}\n\nOil it.')).toEqual([{ headings: ['Care'], markdown: 'Oil it.' }])
})

test('a heading without text has no passage, and code is not a heading', () => {
  expect(splitIntoPassages('# Empty\n\n## Full\n\n```sh\n# a comment\n\necho\n```')).toEqual([
    { headings: ['Empty', 'Full'], markdown: '```sh\n# a comment\n\necho\n```' },
  ])
})

test('keeps steps whole, with the sentence above them, however long the text before is', () => {
  const steps = Array.from({ length: 40 }, (_, n) => `${n + 1}. Step ${n} ${words(8)}`).join('\n')
  expect(steps.length).toBeGreaterThan(2000)
  const passages = markdownOf(`${words(120)}\n\nDo this:\n\n${steps}\n\nDone.`)
  expect(passages).toEqual([words(120), `Do this:\n\n${steps}`, 'Done.'])
})

test('a list goes on over blank lines, indented paragraphs and nested items', () => {
  const list = '1. One\n\n   More about one\n\n2. Two\n   - a\n   - b\n\n3. Three'
  expect(markdownOf(`${list}\n\nAfter`)).toEqual([`${list}\n\nAfter`])
})

test('keeps a table whole, and repeats the head of one that is too long', () => {
  const table = (rows: number) =>
    `| Code | Meaning |\n|---|---|\n${Array.from({ length: rows }, (_, n) => `| E${n} | ${words(5)} |`).join('\n')}`
  expect(markdownOf(table(60))).toEqual([table(60)])
  const cut = markdownOf(table(400))
  expect(cut.length).toBeGreaterThan(2)
  for (const part of cut) {
    expect(part.length).toBeLessThanOrEqual(5000)
    expect(part.startsWith('| Code | Meaning |\n|---|---|\n| E')).toBe(true)
  }
  const rows = cut.flatMap((part) => part.split('\n').slice(2))
  expect(rows).toEqual(table(400).split('\n').slice(2))
})

test('keeps code whole, and repeats the fences of code that is too long', () => {
  const code = (lines: number, fence = '```') =>
    `${fence}sh\n${Array.from({ length: lines }, (_, n) => `frob ${n} <host> ${words(5)}`).join('\n')}\n${fence}`
  expect(markdownOf(code(60))).toEqual([code(60)])
  for (const fence of ['```', '~~~~']) {
    const cut = markdownOf(code(400, fence))
    expect(cut.length).toBeGreaterThan(2)
    for (const part of cut) {
      expect(part.length).toBeLessThanOrEqual(5000)
      expect(part.startsWith(`${fence}sh\nfrob`) && part.endsWith(`\n${fence}`)).toBe(true)
    }
    expect(cut.flatMap((part) => part.split('\n').slice(1, -1))).toEqual(code(400, fence).split('\n').slice(1, -1))
  }
})

test('a fence ends with marks alone, and what begins like one may be code in a paragraph', () => {
  const nested = '```md\nA\n```js\n# b\n```'
  expect(splitIntoPassages(`# A\n\n${nested}`)).toEqual([{ headings: ['A'], markdown: nested }])
  expect(markdownOf('```a``` b.\n\n# C\n\nD')).toEqual(['```a``` b.', 'D'])
})

test('what looks like a link in code stays as it is', () => {
  const code = '```js\na[i][j]\n[k]: https://acme.example/k\n```'
  expect(markdownOf(`See [J][j], \`b[i][j]\` and [K][k].\n\n${code}\n\n[j]: https://acme.example/j`)).toEqual([
    `See [J](https://acme.example/j), \`b[i][j]\` and [K][k].\n\n${code}`,
  ])
})

test('a list that only links to headings of its text is left out, and another one is not', () => {
  const contents = '- [Care](#care)\n  - [Oil (twice)](#oil)\n- [`wax()`](#wax)'
  expect(markdownOf(`About it.\n\n${contents}\n\n# Care\n\nOil it.`)).toEqual(['About it.', 'Oil it.'])
  const links = '- [Care](#care) is important\n- [Wax](#wax)'
  expect(markdownOf(links)).toEqual([links])
})

test('joins short paragraphs and cuts long ones between sentences', () => {
  expect(markdownOf('One.\n\nTwo.')).toEqual(['One.\n\nTwo.'])
  const sentence = `${words(12)}.`
  const parts = markdownOf(Array.from({ length: 40 }, () => sentence).join(' '))
  expect(parts.length).toBeGreaterThan(2)
  for (const part of parts) expect(part.endsWith('.')).toBe(true)
})

test('writes the address of a link beside its text', () => {
  expect(markdownOf('See [the manual][m] and [m].\n\n[m]: https://acme.example/m "Manual"')).toEqual([
    'See [the manual](https://acme.example/m) and [m].',
  ])
})

test('any text has a limited number of passages of limited length, and no broken characters', () => {
  const line = fc.constantFrom(
    '# a',
    '## b',
    '- c',
    '1. d',
    '| e |',
    '|---|',
    '```',
    '> f',
    '    g',
    '',
    '🏷️'.repeat(900),
    'h. '.repeat(900),
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
      const passages = splitIntoPassages(lines.join('\n'))
      expect(passages.length).toBeLessThanOrEqual(300)
      for (const { markdown } of passages) {
        expect(markdown.length).toBeLessThanOrEqual(6500)
        expect(markdown.isWellFormed()).toBe(true)
        expect(markdown.trim()).not.toBe('')
      }
    }),
  )
})

test('half a megabyte of blocks is divided in a time that grows with its length only', () => {
  for (const piece of ['a | b\n', '[a][b] ', '1. a\n\n', '> ', '```\n', '[', '- a\n']) {
    expect(splitIntoPassages(piece.repeat((500 * 1024) / piece.length)).length).toBeLessThanOrEqual(300)
  }
})
