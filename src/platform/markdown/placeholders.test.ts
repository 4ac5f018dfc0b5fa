import { expect, test } from 'vitest'
import { createRenderer } from './renderer.ts'

const { toHtml, toPlain } = createRenderer()

test.each([
  [
    'Open https://<your-host>/admin and enter <token>.',
    '<p>Open https://&lt;your-host&gt;/admin and enter &lt;token&gt;.</p>',
  ],
  ['<token>\n*a*', '<p>&lt;token&gt;\n<em>a</em></p>'],
  ['- <a-b>\n\n  </c>', '<ul>\n<li>\n<p>&lt;a-b&gt;</p>\n<p>&lt;/c&gt;</p>\n</li>\n</ul>'],
  ['## Set <token>', '<h2 id="h-set-token">Set &lt;token&gt;</h2>'],
  ['<div>Set <token></div>', '<section>Set &lt;token&gt;</section>'],
  ['<svg><path d="M0 0"/>a</svg> <path>', '<p>a &lt;path&gt;</p>'],
  ['<title>a</title><token>', '&lt;token&gt;'],
])('a placeholder is text: %j is %j', (markdown, html) => {
  expect(toHtml(markdown).trimEnd()).toBe(html)
})

test.each([
  ['Enter <token> at <path>', 'Enter <token> at <path>'],
  ['<p>a<token>b</p>', 'a<token>b'],
])('the plain text of %j is %j', (markdown, words) => {
  expect(toPlain(markdown)).toBe(words)
})

test.each([
  ['<foo onclick="alert(1)" href=x>', '<p>&lt;foo onclick="alert(1)" href=x&gt;</p>'],
  ['<foo title="<img src=x onerror=alert(1)>">', '<p>&lt;foo title="<img src="x" loading="lazy" />"&gt;</p>'],
  ['<div>\n<foo onclick=alert(1)\n</div>', '<section>\n&lt;foo onclick=alert(1)\n</section>'],
  ['<div><foo', '<section>&lt;foo</section>'],
  ['<foo<script>alert(1)</script>', '<p>&lt;foo</p>'],
  ['<div><foo/<img src=x onerror=alert(1)></div>', '<section>&lt;foo/<img src="x" loading="lazy" /></section>'],
  ['<p title="<foo>">a</p>', '<p>a</p>'],
  ['<abbr title="<foo>">a</abbr>', '<p><abbr title="&lt;foo&gt;">a</abbr></p>'],
  ['<a href="javascript:<foo>">a</a>', '<p><a>a</a></p>'],
  ['<!-- <foo> -->a <b>b</b>', 'a <b>b</b>'],
  ['<![CDATA[<foo>]]><b>b</b>', '<b>b</b>'],
  ['a <!--><foo>-->', '<p>a &lt;foo&gt;--&gt;</p>'],
  ['<style><foo></style><script>"<foo>"</script><iframe><foo></iframe>', ''],
  ['<noscript><foo title="</noscript><img src=x onerror=alert(1)>">', '<p><img src="x" loading="lazy" />"&gt;</p>'],
  ['<svg><foo onload=alert(1)>a', '<p>a</p>'],
])('nothing comes in through %j', (attack, html) => {
  expect(toHtml(attack).trimEnd()).toBe(html)
})

test.each(['<foo ', '</foo', '<foo a="', "<foo a='b", '<foo<', '<foo>\n', '<foo>\n\n'])(
  'a text of 200 KB of %j takes no longer than another',
  (piece) => {
    expect(toHtml(piece.repeat(200_000 / piece.length))).toContain('foo')
  },
)
