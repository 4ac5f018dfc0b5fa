import { expect, test } from 'vitest'
import { headingsIn, labelCallouts, linkHeadings, linksIn, replaceLinks, sizeImages } from './page-parts.ts'
import { createRenderer } from './renderer.ts'

const { toHtml, toPlain, check } = createRenderer()
const flat = (markdown: string) => toHtml(markdown).replaceAll('\n', '')

const CALLOUT = '<blockquote class="callout warning"><p>Hot <em>surface</em></p></blockquote>'

test.each([
  ['> [!WARNING]\n> Hot *surface*', CALLOUT],
  ['> [!warning]\n>\n> Hot *surface*', CALLOUT],
  [':::warning\nHot *surface*\n:::', CALLOUT],
  ['::: attention\n\nHot *surface*\n\n:::', CALLOUT],
  ['!!! warning\n    Hot *surface*', CALLOUT],
  [
    ':::note[Before you start]\na\n:::',
    '<blockquote class="callout note"><p><strong>Before you start</strong></p><p>a</p></blockquote>',
  ],
  [
    ':::note\na\n:::tip\nb\n:::\n:::\nc',
    '<blockquote class="callout note"><p>a</p><blockquote class="callout tip"><p>b</p></blockquote></blockquote><p>c</p>',
  ],
  ['1. a\n\n  :::warning\n  Hot *surface*\n  :::', `<ol><li>a</li></ol>${CALLOUT}`],
  [':::unknown\na\n:::', '<p>:::unknowna:::</p>'],
  ['> [!SECRET]\n> a', '<blockquote><p>[!SECRET]a</p></blockquote>'],
  ['- [ ] a\n- [x] *b*', '<ul><li class="task">☐ a</li><li class="task">☑ <em>b</em></li></ul>'],
  [
    'Oak\nAsh\n: hard\n: light\n\nPine\n\n: soft',
    '<dl><dt>Oak</dt><dt>Ash</dt><dd>hard</dd><dd>light</dd><dt>Pine</dt><dd>soft</dd></dl>',
  ],
  ['Oak\n: hard\n\n    - heavy', '<dl><dt>Oak</dt><dd><p>hard</p><ul><li>heavy</li></ul></dd></dl>'],
  ['Note: this\nis no list', '<p>Note: thisis no list</p>'],
  ['## Care {#oil}\n\n[a](#oil)', '<h2 id="h-oil">Care</h2><p><a href="#h-oil">a</a></p>'],
  ['## Care {: #oil }', '<h2 id="h-oil">Care</h2>'],
  ['<a name="x"></a>\n\n[a](#x) [b](#y)', '<p><a id="h-x"></a></p><p><a href="#h-x">a</a> <a href="#y">b</a></p>'],
  ['<a id="care"></a>\n\n## Care', '<p><a id="h-care"></a></p><h2 id="h-care-1">Care</h2>'],
  ['<a id="x">1</a> <a id="x">2</a>', '<p><a id="h-x">1</a> <a>2</a></p>'],
])('%j is %j', (markdown, html) => {
  expect(flat(markdown)).toBe(html)
})

test('footnotes are numbered in the order of their references, and lead there and back', () => {
  const text =
    'Oil[^b] and wax[^a], oil[^b], none[^c].\n\n[^a]: Bee *wax*\n[^b]: See the wax[^a]\nas well\n[^unused]: x'
  expect(flat(text)).toBe(
    '<p>Oil<sup><a href="#h-fn-1" id="h-fnref-1">1</a></sup> and wax<sup><a href="#h-fn-2" id="h-fnref-2">2</a></sup>, ' +
      'oil<sup><a href="#h-fn-1">1</a></sup>, none[^c].</p><hr /><ol class="footnotes">' +
      '<li><a id="h-fn-1"></a><p>See the wax<sup><a href="#h-fn-2">2</a></sup>as well <a href="#h-fnref-1">↩</a></p></li>' +
      '<li><a id="h-fn-2"></a><p>Bee <em>wax</em> <a href="#h-fnref-2">↩</a></p></li></ol>',
  )
  expect(toPlain(text)).toBe('Oil and wax, oil, none[^c]. See the wax as well Bee wax')
})

test('what is not shown becomes a link, and is reported with its line', () => {
  const text = [
    'Watch <video controls>',
    '<source src="https://acme.com/oil.mp4">no</video> now.',
    '',
    '<div>',
    '<iframe title="How to" src="https://acme.com/e?a=1&amp;b=2"></iframe></div>',
    '',
    '<object data="javascript:alert(1)">x</object>',
    '',
    '`<video src="a.mp4">`',
  ].join('\n')
  expect(flat(text)).toBe(
    '<p>Watch <a href="https://acme.com/oil.mp4" rel="noopener nofollow ugc">https://acme.com/oil.mp4</a> now.</p>' +
      '<section><a href="https://acme.com/e?a=1&amp;b=2" rel="noopener nofollow ugc">How to</a></section>' +
      '<p></p><p><code>&lt;video src="a.mp4"&gt;</code></p>',
  )
  expect(check(text).warnings).toEqual([
    { line: 1, message: 'A video cannot be shown here. It became a link: https://acme.com/oil.mp4' },
    { line: 5, message: 'An embedded page cannot be shown here. It became a link: https://acme.com/e?a=1&b=2' },
    { line: 7, message: 'An embedded file was left out.' },
  ])
  expect(check('<audio>\n\n'.repeat(100)).warnings).toHaveLength(50)
})

test('blocks in blocks end at a depth, and long ones are rendered', () => {
  const deep = Array.from({ length: 30 }, (_, n) => `${' '.repeat(4 * n)}!!! note`).join('\n')
  expect(toHtml(deep).match(/callout note/g)).toHaveLength(5)
  const long = `:::note\n${'- a\n'.repeat(40_000)}:::`
  expect(toHtml(long).match(/<li>/g)).toHaveLength(40_000)
  expect(toHtml(':::note\n'.repeat(20_000))).toContain('callout note')
  expect(toHtml(`${'a[^1]'.repeat(20_000)}\n\n[^1]: b`)).toContain('footnotes')
})

test('a page links headings, names callouts and resolves links', () => {
  const html = toHtml('## A & *b*\n## [c](d.md)\n> [!TIP]\n> x\n\n[e](f.md?a&b#g "t") [h](https://acme.com)')
  expect(headingsIn(html)).toEqual([
    { level: 2, id: 'h-a--b', text: 'A & b' },
    { level: 2, id: 'h-c', text: 'c' },
  ])
  expect(linkHeadings(html)).toContain('<h2 id="h-a--b"><a class="place" href="#h-a--b">A &amp; <em>b</em></a></h2>')
  expect(linkHeadings(html)).toContain('<h2 id="h-c"><a href="d.md">c</a></h2>')
  const labels = { note: '', tip: 'Tipp <1>', important: '', warning: '', caution: '' }
  expect(labelCallouts(html, labels)).toContain('<blockquote class="callout tip"><p class="label">Tipp &lt;1&gt;</p>')
  expect(linksIn(html)).toEqual(['d.md', 'f.md?a&b#g', 'https://acme.com'])
  const replaced = replaceLinks(html, (href) => (href === 'd.md' ? null : href.startsWith('f') ? '/x?"' : undefined))
  expect(replaced).toContain('<a>c</a>')
  expect(replaced).toContain(
    '<a href="/x?&quot;" title="t">e</a> <a href="https://acme.com" rel="noopener nofollow ugc">',
  )
})

test('adds the size of images, in the proportions that a writer chose', () => {
  const html = toHtml(
    '![a](/a.png) ![b](/b.png)\n\n<img src="/a.png" width="50"> <img src="/a.png" height="10" width="3">',
  )
  const sized = sizeImages(html, (src) => (src === '/a.png' ? { width: 200, height: 100 } : undefined))
  expect(sized.match(/<img[^>]*>/g)).toEqual([
    '<img src="/a.png" width="200" height="100" alt="a" loading="lazy" />',
    '<img src="/b.png" alt="b" loading="lazy" />',
    '<img src="/a.png" width="50" height="25" loading="lazy" />',
    '<img src="/a.png" width="3" height="10" loading="lazy" />',
  ])
})
