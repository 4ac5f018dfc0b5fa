import { expect, test } from 'vitest'
import { createRenderer } from '../../../platform/markdown/renderer.ts'
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
  ['Set <your-host> and <your token>', 'Set \\<your-host> and \\<your token>'],
  ['Set \\<your-host>', 'Set \\<your-host>'],
  ['A List<String>, if (a<b && c>d)', 'A List\\<String>, if (a\\<b && c>d)'],
  ['See <https://acme.example> or <help@acme.example>', 'See <https://acme.example> or <help@acme.example>'],
  ['<x-frame src="//evil.example">a</x-frame><br/>', '\\<x-frame src="//evil.example">a\\</x-frame>'],
  ['Say <yes/no> to <key=value>', 'Say \\<yes/no> to \\<key=value>'],
  ['<svg><path d="M0 0"/></svg> at <path>', ' at \\<path>'],
  ['[a](b?ids[]=1) ![c](d?ids[0]=1) [e](f "g")', 'a c e'],
  ['[`a` b](../c) ![`d`](e.png)', '`a` b `d`'],
])('%j becomes %j', (markdown, safe) => {
  expect(toSafeMarkdown(markdown)).toBe(safe)
})

const COMMAND = 'frob connect --host <your-host> --token <token>'

test.each([
  `\`${COMMAND}\``,
  `Run \`${COMMAND}\` and \`\`a \`<b>\` c\`\`.`,
  `\`\`\`sh\n${COMMAND}\n# <!-- [a](../b) ![c](d.png)\n\`\`\``,
  `~~~~\n~~~\n${COMMAND}\n~~~\n~~~~`,
  `\`\`\`\`md\n\`\`\`sh\n${COMMAND}\n\`\`\`\n\`\`\`\``,
  `    ${COMMAND}\n\n    <b>`,
  `1. Run this:\n\n   \`\`\`sh\n   ${COMMAND}\n   \`\`\`\n2. Then \`<b>\``,
  `> \`\`\`\n> ${COMMAND}\n> \`\`\``,
  `| Command | Meaning |\n|---|---|\n| \`${COMMAND} \\| cat\` | <5 mm |`,
  'A force of $F<m \\cdot a>0$ and $$a <b> c$$',
  'شغّل `frob --host <مضيف>` ثم `<b>` 🏷️',
])('code, tables and formulas stay byte by byte: %j', (markdown) => {
  expect(toSafeMarkdown(markdown)).toBe(markdown)
})

test('a placeholder is shown, in code and in a sentence', () => {
  const html = createRenderer().toHtml(toSafeMarkdown(`Set <your-host>, then \`${COMMAND}\``))
  expect(html).toContain(
    'Set &lt;your-host&gt;, then <code>frob connect --host &lt;your-host&gt; --token &lt;token&gt;</code>',
  )
})

test('code that nothing ends does not swallow what follows the answer', () => {
  expect(toSafeMarkdown('1. Run\n   ```\n   a <b>')).toBe('1. Run\n   ```\n   a <b>\n   ```')
})

test.each([
  '<',
  '<a',
  '<a ',
  '<!--',
  '![',
  '[',
  '[a](',
  '[a](<',
  '`<a>',
  '$<a>',
  '```\n<a>\n',
  '<a b=',
  '\\<',
  '(<a',
  '<a>`',
])('a text of 100 KB of %j takes no longer than another', (piece) => {
  expect(toSafeMarkdown(piece.repeat(100_000 / piece.length))).toBeTypeOf('string')
})

test('text is shown as it is', () => {
  expect(toMarkdownText('*a* [b](c)\n# <d>')).toBe('\\*a\\* \\[b\\]\\(c\\) \\# \\<d\\>')
})
