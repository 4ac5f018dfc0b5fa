import { expect, test } from 'vitest'
import { createRenderer } from '../../../../../platform/markdown/renderer.ts'
import { htmlToMarkdown, readPage } from './to-markdown.ts'

test.each<[what: string, html: string, expected: string]>([
  ['marks beside spaces', '<p>a <strong>b </strong>c<em> d</em></p>', 'a **b** c *d*'],
  [
    'characters of Markdown',
    '<p>*a* _b_ [c] &lt;d&gt; `e` \\</p><p># f</p><p>1. g</p><p>- h</p>',
    '\\*a\\* \\_b\\_ \\[c\\] \\<d\\> \\`e\\` \\\\\n\n\\# f\n\n1\\. g\n\n\\- h',
  ],
  [
    'headings with their anchors',
    '<h2 id="when"><strong>When</strong></h2><h3>x<br>y</h3>',
    '## When {#when}\n\n### x y',
  ],
  [
    'lists in lists',
    '<ol><li><p>a</p><ul><li>b</li></ul></li><li>c</li></ol><ul><li>a</li><ul><li>b</li></ul></ul>',
    '1. a\n   - b\n2. c\n\n- a\n  - b',
  ],
  ['code', '<pre><code class="language-js">if (a) {\n\n  b()\n}</code></pre>', '```js\nif (a) {\n\n  b()\n}\n```'],
  [
    'a table',
    '<table><tbody><tr><td>A</td><td>B|C</td></tr><tr><td><p>1</p><p>2</p></td></tr></tbody></table>',
    '| A | B\\|C |\n| --- | --- |\n| 1<br>2 |  |',
  ],
  ['a table for the layout', '<table><tr><td><p>a</p><p>b</p></td></tr></table>', 'a\n\nb'],
  ['callouts', '<div class="callout callout--warning"><p>a</p></div>', ':::warning\na\n:::'],
  [
    'pictures and links',
    '<p><a href="/hc/1 2"><img src="https://acme.com/a.png" alt="A"></a></p>',
    '[![A](https://acme.com/a.png)](</hc/1 2>)',
  ],
  ['what nobody reads', '<script>x</script><style>y</style><p>a</p><!-- z -->', 'a'],
  ['text without elements', 'a &amp; b', 'a & b'],
  ['boxes in boxes', '<div><div>a<p>b</p>c</div></div>', 'a\n\nb\n\nc'],
])('%s', (_what, html, expected) => {
  expect(htmlToMarkdown(html)).toBe(expected)
})

test('a page gives its title and its article', () => {
  const html =
    '<html><head><title>T – Acme</title></head><body><nav>Menu</nav><main><h1>T</h1><p>x</p></main></body></html>'
  expect(readPage(html)).toEqual({ title: 'T', markdown: '# T\n\nx' })
  expect(readPage('<title>U</title><p>y</p>')).toEqual({ title: 'U', markdown: 'y' })
})

test('hostile HTML takes no time, and none of it reaches readers', () => {
  const deep = `${'<div>'.repeat(20_000)}a${'<ul><li>'.repeat(20_000)}b`
  expect(htmlToMarkdown(deep)).toMatch(/a[\s\S]*b/)
  const attacks =
    '<p>[x](javascript:alert(1))</p><a href="javascript:alert(1)">y</a><img src=x onerror=alert(1)><p>&lt;script&gt;z&lt;/script&gt;</p>'
  const shown = createRenderer().toHtml(htmlToMarkdown(attacks))
  expect(shown).not.toMatch(/<script|onerror=|href="javascript/)
  expect(shown).toContain('&lt;script&gt;z')
})
