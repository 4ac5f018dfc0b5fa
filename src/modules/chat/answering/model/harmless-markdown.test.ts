import { expect, test } from 'vitest'
import { createRenderer } from '../../../../platform/markdown/renderer.ts'
import { toHarmlessMarkdown } from './harmless-markdown.ts'

const OWN = 'https://help.acme.example/kb/x/oil'
const safe = (text: string) => toHarmlessMarkdown(text, new Set([OWN]))

test.each([
  ['[here](https://evil.example/)', 'here'],
  [`[here](${OWN})`, `[here](${OWN})`],
  [`See ${OWN}.`, `See ${OWN}.`],
  ['![x](https://evil.example/x.png) Oil', ' Oil'],
  [`![x](${OWN})`, ''],
  ['https://evil.example/?q=1 Oil', ' Oil'],
  ['<a href="https://evil.example">Oil</a>', 'Oil'],
  ['| a | b |\n| - | - |\n| <5 mm | **x** & y |', '| a | b |\n| - | - |\n| <5 mm | **x** & y |'],
  ['Press *and* hold `A`: 5 s\u202e\u0000', 'Press *and* hold `A`: 5 s'],
  ['Set <your-host> and <your token>', 'Set \\<your-host> and \\<your token>'],
  ['Set \\<your-host>, \\\\<port>', 'Set \\<your-host>, \\\\\\<port>'],
])('%j becomes %j', (text, expected) => {
  expect(safe(text)).toBe(expected)
})

test.each([
  '[a](https://evil.example/ "title")',
  '[a](<https://evil.example/>)',
  '[a]\\(https://evil.example/)',
  '[a\\](https://evil.example/)](https://evil.example/)',
  '[[a]](https://evil.example/)',
  '[a [1]](https://evil.example/)',
  '[a](\nhttps://evil.example/)',
  '[1]: https://evil.example/\n\nOil it [1]',
  '[1]:\n  //evil.example/\n\nOil it [1]',
  '> [1]: //evil.example/\n\nOil it [1]',
  '[a][1]\n\n[1]: <//evil.example/>',
  '[a](//evil.example/)',
  '![a][1]\n\n[1]: //evil.example/',
  '![a [b]](//evil.example/)',
  '!\\[a](//evil.example/)',
  'https&#58;//evil.example/',
  'https&colon;//evil.example/',
  'https\\://evil.example/',
  'https:/\\/evil.example/',
  'HTTPS://EVIL.EXAMPLE/',
  'https://evil.example/(a)',
  '<https://evil.example/>',
  '<img src=//evil.example/>',
  '<img\nsrc=//evil.example/>',
  '<a\nhref=//evil.example/ >x</a>',
  '<svg><image href="//evil.example/"/></svg>',
  '<iframe src="//evil.example/"',
  '<your-host src=//evil.example/>',
  '<img><a-b><img src=//evil.example/>',
  '\\<img src=//evil.example/>',
  '\u2060img alt="//evil.example/">',
  '[a](javascript:alert(1))',
  '[a](data:text/html,x)',
  `[a](${OWN}@evil.example/)`,
  `${OWN}@evil.example/`,
  `[a](${OWN}/../../evil)`,
])('nothing of %j is a link or an image when it is rendered', (text) => {
  const html = createRenderer().toHtml(safe(text))
  expect(html).not.toMatch(/<a |<img|href|src=/)
})
