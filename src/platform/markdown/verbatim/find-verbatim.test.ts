import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRenderer } from '../renderer.ts'
import { findVerbatim } from './find-verbatim.ts'
import { cover, shield, unshield } from './shield.ts'

const partsOf = (markdown: string) => findVerbatim(markdown).map(({ from, to }) => markdown.slice(from, to))

test.each([
  ['a `b` c', ['`b`']],
  ['``a ` b`` c', ['``a ` b``']],
  ['a \\`b` c', []],
  ['a `b c', []],
  ['`a``b`', ['`a``b`']],
  ['a `b\n\nc` d', []],
  ['| `a` | b |\n|---|---|\n| `c | d` |', ['`a`', '`c | d`']],
  ['- `a\n- b`', []],
  ['```sh\na\n```\nb `c`', ['```sh\na\n```\n', '`c`']],
  ['```\na\n~~~\n```js\nb\n```\nc', ['```\na\n~~~\n```js\nb\n```\n']],
  ['````md\n```\na\n```\n````\nb', ['````md\n```\na\n```\n````\n']],
  ['~~~ a ` b\nc\n~~~', ['~~~ a ` b\nc\n~~~']],
  ['``` a ``` b', ['``` a ```']],
  ['a\n```\nb', ['```\nb']],
  ['1. a\n\n   ```\n   b\n   ```\n   `c`', ['   ```\n   b\n   ```\n', '`c`']],
  ['1. a\n   ```\n   b\n\nc `d`', ['   ```\n   b\n\n', '`d`']],
  ['- ```\n  a\n  ```\n- b', ['- ```\n  a\n  ```\n']],
  ['> ```\n> a\n> ```\n> `b`\n\nc', ['> ```\n> a\n> ```\n', '`b`']],
  ['> ```\n> a\nb `c`', ['> ```\n> a\n', '`c`']],
  ['a\n\n    b <c>\n\n    d\ne', ['    b <c>\n\n    d\n']],
  ['a\n    b', []],
  ['- a\n\n    b\n\n      c', ['      c']],
  ['1. a\n   - b\n\n       c\n\n   d\n\n       e', ['       e']],
  ['\ta', ['\ta']],
  ['a $x_1 < y$ b', ['$x_1 < y$']],
  ['$$\na <b>\n$$', ['$$\na <b>\n$$']],
  ['$5 and $6, $ 7 and \\$a$', []],
  ['مرحبا `frob <مضيف>` 🏷️ `b`', ['`frob <مضيف>`', '`b`']],
  ['a\r\n\r\n```\r\nb\r\n```\r\nc', ['```\r\nb\r\n```\r\n']],
])('finds the code and formulas of %j', (markdown, parts) => {
  expect(partsOf(markdown)).toEqual(parts)
})

test('says how a fence that is open at the end would be closed', () => {
  const endOf = (markdown: string) => findVerbatim(markdown).at(-1)?.missingEnd
  expect(endOf('~~~~\na\n~~~')).toBe('~~~~')
  expect(endOf('1. a\n   ```\n   b')).toBe('   ```')
  expect(endOf('> ```\n> a')).toBe('> ```')
  expect(endOf('```\na\n```')).toBeUndefined()
})

const LINES = fc.array(
  fc.constantFrom(
    'a `b` c',
    '`a',
    '```',
    '```sh',
    '~~~',
    '  - a',
    '- a',
    '1. b',
    '    c <d>',
    '',
    '> e',
    '> ```',
    '# f',
    'g',
  ),
  { maxLength: 12 },
)

test('a fence at the margin is found where a renderer finds it', () => {
  const { toHtml } = createRenderer()
  const line = fc.constantFrom('a', '```', '````', '```sh', '~~~', '~~~~', '', 'b `c` d', '``` e ```')
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const markdown = lines.join('\n')
      const blocks = findVerbatim(markdown).filter(({ kind }) => kind === 'block')
      expect(blocks.length).toBe(toHtml(markdown).match(/<pre>/g)?.length ?? 0)
    }),
  )
})

test('what is shielded comes back as it was, and is not seen meanwhile', () => {
  fc.assert(
    fc.property(LINES, (lines) => {
      const markdown = lines.join('\n')
      expect(unshield(shield(markdown))).toBe(markdown)
    }),
  )
  const ascii = Array.from({ length: 95 }, (_, n) => String.fromCharCode(32 + n)).join('')
  expect(cover(ascii)).not.toMatch(/[!-/:-@[-`{-~]/)
  expect(unshield(cover(ascii))).toBe(ascii)
  expect(unshield(shield('a \ufdd0img\ufddf b'))).toBe('a img b')
})

test.each([
  '`',
  '``` ',
  '`a ``b ',
  '$',
  '$a ',
  '$$ ',
  '~~~\n',
  '- ',
  '> ',
  '>',
  '1. ',
  '\\',
  '\\`',
  '    a\n',
  '- `\n',
  '\t',
  '|`',
])('100 KB of %j are read once', (piece) => {
  const markdown = piece.repeat(100_000 / piece.length)
  expect(unshield(shield(markdown))).toBe(markdown)
})
