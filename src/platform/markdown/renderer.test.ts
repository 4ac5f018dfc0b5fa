import { expect, test } from 'vitest'
import { ATTACKS } from '../../testing/data/attacks.ts'
import { createRenderer } from './renderer.ts'
import { sanitise } from './sanitise.ts'

const { toHtml, toPlain } = createRenderer()

test.each([
  ['*em* **strong** ~~gone~~ `code`', '<p><em>em</em> <strong>strong</strong> <s>gone</s> <code>code</code></p>'],
  ['a  \nb', '<p>a<br />\nb</p>'],
  ['> quoted', '<blockquote>\n<p>quoted</p>\n</blockquote>'],
  ['3. three\n4. four', '<ol start="3">\n<li>three</li>\n<li>four</li>\n</ol>'],
  ['```js\na < b\n```', '<pre><code class="language-js">a &lt; b\n</code></pre>'],
  ['H<sub>2</sub>O <kbd>Esc</kbd> <mark>new</mark>', '<p>H<sub>2</sub>O <kbd>Esc</kbd> <mark>new</mark></p>'],
  ['<abbr title="a &amp; b">ab</abbr>', '<p><abbr title="a &amp; b">ab</abbr></p>'],
  ['<p dir="rtl" lang="ar">نص</p>', '<p dir="rtl" lang="ar">نص</p>'],
  [
    '<details open><summary>S</summary>\n\n*x*\n</details>',
    '<details open><summary>S</summary>\n<p><em>x</em></p>\n</details>',
  ],
  ['<div dir="auto" class="x" style="color:red">x</div>', '<section dir="auto">x</section>'],
  ['&copy; &amp; &lt;b&gt;', '<p>© &amp; &lt;b&gt;</p>'],
  ['', ''],
])('%j is %j', (markdown, html) => {
  expect(toHtml(markdown).trimEnd()).toBe(html)
})

test('a table keeps the alignment of its columns', () => {
  const html = toHtml('| a | b |\n|---|--:|\n| 1 | 2 |')
  expect(html.replaceAll('\n', '')).toBe(
    '<table><thead><tr><th>a</th><th align="right">b</th></tr></thead>' +
      '<tbody><tr><td>1</td><td align="right">2</td></tr></tbody></table>',
  )
})

test.each([
  ['[a](https://acme.com/x)', '<a href="https://acme.com/x" rel="noopener nofollow ugc">a</a>'],
  ['[a](http://acme.com "t")', '<a href="http://acme.com" title="t" rel="noopener nofollow ugc">a</a>'],
  ['<https://acme.com>', '<a href="https://acme.com" rel="noopener nofollow ugc">https://acme.com</a>'],
  ['https://acme.com', '<a href="https://acme.com" rel="noopener nofollow ugc">https://acme.com</a>'],
  ['[a](/kb/care)', '<a href="/kb/care">a</a>'],
  ['[a](care#top)', '<a href="care#top">a</a>'],
  ['[a](mailto:help@acme.com)', '<a href="mailto:help@acme.com">a</a>'],
  ['[a](tel:+4912345)', '<a href="tel:+4912345">a</a>'],
  ['<a href="https://[">a</a>', '<a>a</a>'],
  ['readme.md, acme.com, ftp://acme.com, //acme.com', 'readme.md, acme.com, ftp://acme.com, //acme.com'],
])('the link %s is %s', (markdown, html) => {
  expect(toHtml(markdown)).toBe(`<p>${html}</p>\n`)
})

test.each([
  ['![a](https://acme.com/a.png)', '<p><img src="https://acme.com/a.png" alt="a" loading="lazy" /></p>\n'],
  ['![](/a.png "t")', '<p><img src="/a.png" alt="" title="t" loading="lazy" /></p>\n'],
  ['<img src="a.png" width="10" height="20">', '<img src="a.png" width="10" height="20" loading="lazy" />'],
  ['<img src="a.png" width="100%" loading="eager">', '<img src="a.png" loading="lazy" />'],
  ['<img src="http://acme.com/a.png" alt="kept">', '<img alt="kept" loading="lazy" />'],
  ['<img src="data:image/png;base64,AAAA" alt="kept">', '<img alt="kept" loading="lazy" />'],
])('the image %s is %s', (markdown, html) => {
  expect(toHtml(markdown)).toBe(html)
})

test('shifts headings so that the highest level is h2 and the lowest h6', () => {
  const levels = (markdown: string) => [...toHtml(markdown).matchAll(/<h(\d)/g)].map(([, level]) => Number(level))
  expect(levels('# a\n## b\n### c\n#### d\n##### e\n###### f')).toEqual([2, 3, 4, 5, 6, 6])
  expect(levels('## a\n### b\n## c')).toEqual([2, 3, 2])
  expect(levels('### a\n\n<h5>b</h5>\n\n## c')).toEqual([3, 5, 2])
  expect(toHtml('<h1><h1>a</h1></h1>')).not.toContain('<h1')
})

test('gives every heading a unique id, even if the numbered one is taken', () => {
  const html = toHtml(
    '# Care\n# Care\n# Care 1\n# Care-1\n# Care\n# *How* to `use` it?\n# 清掃の方法\n# :)\n<h1 id="x">Own</h1>',
  )
  expect([...html.matchAll(/<h2(?: id="([^"]*)")?>/g)].map(([, id]) => id)).toEqual([
    'h-care',
    'h-care-1',
    'h-care-1-1',
    'h-care-1-2',
    'h-care-2',
    'h-how-to-use-it',
    'h-清掃の方法',
    undefined,
    'h-own',
  ])
})

test('points a fragment link to its heading, with or without the prefix', () => {
  const html = toHtml('# 清掃 & Care!\n\n[a](#清掃--care) [b](#h-清掃--care) [c](#elsewhere) [d](#%FF) [e](#)')
  const [id] = html.match(/(?<=id=")[^"]*/)!
  const targets = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => decodeURI(href!.replace('%FF', '?')))
  expect(targets).toEqual([`#${id}`, `#${id}`, '#elsewhere', '#?', '#'])
})

test.each([
  ['# Care\n\nTwo *words*.', 'Care Two words.'],
  ['un*break*able H<sub>2</sub>O', 'unbreakable H2O'],
  ['- a\n- b\n\n| c | d |\n|---|---|\n| e | f |', 'a b c d e f'],
  ['a<br>b<hr>c', 'a b c'],
  ['see ![the "red" button](a.png) here', 'see the "red" button here'],
  ['<img src="http://acme.com/a.png" alt="kept">', 'kept'],
  ['&amp;lt; &lt;b&gt; &nbsp;&nbsp; &copy;', '&lt; <b> ©'],
  ['a <script>b</script><style>c</style><!-- d --> e', 'a e'],
  ['`<b>` and\n\n    <i>code</i>', '<b> and <i>code</i>'],
  ['[text](https://acme.com "title")', 'text'],
  ['\u3000 \n\n', ''],
  ['<!-- nothing -->', ''],
  ['', ''],
])('the plain text of %j is %j', (markdown, words) => {
  expect(toPlain(markdown)).toBe(words)
})

const TAG =
  /<(?:\/[a-z][a-z0-9]*|[a-z][a-z0-9]*(?: (?:href|src|alt|title|width|height|align|start|rel|loading|class|id|open|dir|lang)(?:="[^"<>]*")?)*(?: \/)?)>/g

test.each(ATTACKS)('%j leaves only allowed tags with harmless attributes', (attack) => {
  for (const html of [toHtml(attack), sanitise(attack)]) {
    expect(html.replace(TAG, '')).not.toMatch(/[<>]/)
    const tags = html.match(TAG) ?? []
    for (const tag of tags) {
      expect(tag).not.toMatch(
        /^<\/?(script|style|svg|math|iframe|object|embed|form|input|button|base|meta|link|template)\b/,
      )
      const address = /(?:href|src)="([^"]*)"/.exec(tag)?.[1]
      if (address !== undefined) expect(new URL(address, 'https://acme.com').protocol).toMatch(/^(https?|mailto|tel):$/)
    }
  }
})

test('the list of attacks is long and has no duplicates', () => {
  expect(ATTACKS.length).toBeGreaterThan(80)
  expect(new Set(ATTACKS).size).toBe(ATTACKS.length)
})
