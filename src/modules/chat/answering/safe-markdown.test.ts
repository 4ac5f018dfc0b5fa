import { expect, test } from 'vitest'
import { toMarkdownText, toSafeMarkdown } from './safe-markdown.ts'

test.each([
  ['See [this](https://acme.example/a "A").', 'See [this](https://acme.example/a "A").'],
  [
    'Call [us](tel:+491) or [write](mailto:help@acme.example)',
    'Call [us](tel:+491) or [write](mailto:help@acme.example)',
  ],
  ['See [this](../care) and [that](javascript:alert(1))', 'See this and that)'],
  ['![The red lever](lever.png) Press it', 'The red lever Press it'],
  ['<b>Bold</b> <img src=x onerror=alert(1)> a < b', 'Bold  a < b'],
  ['a <!-- note\nmore --> b', 'a  b'],
])('%j becomes %j', (markdown, safe) => {
  expect(toSafeMarkdown(markdown)).toBe(safe)
})

test('text is shown as it is', () => {
  expect(toMarkdownText('*a* [b](c)\n# <d>')).toBe('\\*a\\* \\[b\\]\\(c\\) \\# \\<d\\>')
})
