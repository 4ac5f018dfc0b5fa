import fc from 'fast-check'
import { expect, test } from 'vitest'
import { joinFrontMatter, splitFrontMatter } from './front-matter.ts'

const PIECES = ['---', '---\n', '\n', '\r\n', '\r', ' ', '\uFEFF', '\u2028---\n', '# x', 'title: x\n', '🪵', 'שלום', '']

test('keeps any content byte for byte', () => {
  const content = fc
    .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary' })))
    .map((all) => all.join(''))
  fc.assert(
    fc.property(content, (content) => {
      const yaml = 'title: x\u2028---\n'
      expect(splitFrontMatter(joinFrontMatter({ yaml, content }))).toEqual({ yaml, content })
    }),
    { numRuns: 300 },
  )
})

test.each([
  ['with a blank line', '---\ntitle: x\n---\n\ntext\n', 'text\n'],
  ['without one', '---\ntitle: x\n---\ntext', 'text'],
  ['with two, the second of which belongs to the text', '---\ntitle: x\n---\n\n\ntext', '\ntext'],
  ['with a byte order mark', '\uFEFF---\ntitle: x\n---\n\n\uFEFFtext', '\uFEFFtext'],
  ['with spaces after the dashes', '---  \ntitle: x\n--- \t\n\ntext', 'text'],
  ['without a text', '---\ntitle: x\n---', ''],
  ['with a second line of dashes, which belongs to the text', '---\ntitle: x\n---\n---\ntext', '---\ntext'],
])('separates front matter and text: %s', (_, text, content) => {
  expect(splitFrontMatter(text)).toEqual({ yaml: 'title: x\n', content })
})

test('accepts Windows line endings and keeps those of the text', () => {
  const parts = splitFrontMatter('---\r\ntitle: x\r\n---\r\n\r\n# A\r\n\r\nb\r\n')
  expect(parts).toEqual({ yaml: 'title: x\r\n', content: '# A\r\n\r\nb\r\n' })
})

test.each([
  '',
  '# Text',
  '\n---\ntitle: x\n---\n',
  '---\ntitle: x\n',
  '---\ntitle: x\n ---\n',
  '----\ntitle: x\n---\n',
])('finds no front matter in %j', (text) => {
  expect(splitFrontMatter(text)).toBeUndefined()
})
