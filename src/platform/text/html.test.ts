import fc from 'fast-check'
import { expect, test } from 'vitest'
import { html, type Insert, raw } from './html.ts'

const paragraph = (insert: Insert): string => html`<p>${insert}</p>`.toString()

test.each<[Insert, string]>([
  ['Acme', 'Acme'],
  ['', ''],
  [0, '0'],
  [-1.5, '-1.5'],
  ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
  ['</p><img src=x onerror=alert(1)>', '&lt;/p&gt;&lt;img src=x onerror=alert(1)&gt;'],
  ['<!--', '&lt;!--'],
  ['Salt & pepper', 'Salt &amp; pepper'],
  ['&lt;', '&amp;lt;'],
  ['&#60;script&#62;', '&amp;#60;script&amp;#62;'],
  ['\'quoted\' "twice"', '&#39;quoted&#39; &quot;twice&quot;'],
  ['$& $1 $`', '$&amp; $1 $`'],
  ['日本語 👋', '日本語 👋'],
])('escapes text: %j', (insert, written) => {
  expect(paragraph(insert)).toBe(`<p>${written}</p>`)
})

test.each([
  ['" onmouseover="alert(1)', '<a title="&quot; onmouseover=&quot;alert(1)">x</a>'],
  ['"><script>alert(1)</script>', '<a title="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;">x</a>'],
  ["' autofocus onfocus='alert(1)", '<a title="&#39; autofocus onfocus=&#39;alert(1)">x</a>'],
])('no text breaks out of a quoted attribute: %s', (title, written) => {
  expect(html`<a title="${title}">x</a>`.toString()).toBe(written)
})

test('leaves no quote or angle bracket in any text, and loses none of it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const written = html`${text}`.toString()
      expect(written).not.toMatch(/[<>"']/)
      expect(decodeEntities(written)).toBe(text)
    }),
  )
})

test('does not escape nested markup, at any depth', () => {
  const items = ['a', '<b>'].map((name) => html`<li>${name}</li>`)
  expect(paragraph(html`<b>${'&'}</b>`)).toBe('<p><b>&amp;</b></p>')
  expect(html`<ul>${items}</ul>`.toString()).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul>')
  expect(paragraph([[html`<i>1</i>`], '<', null, 2])).toBe('<p><i>1</i>&lt;2</p>')
})

test.each<{ insert: Insert }>([{ insert: null }, { insert: undefined }, { insert: false }, { insert: [] }])(
  '$insert renders as nothing',
  ({ insert }) => {
    expect(paragraph(insert)).toBe('<p></p>')
  },
)

test('escapes an object that only imitates markup', () => {
  const disguised = { toString: () => '<script>' } as unknown as string
  expect(paragraph(disguised)).toBe('<p>&lt;script&gt;</p>')
})

test('raw escapes nothing, and a template without inserts stays as written', () => {
  expect(html`<style>${raw("a > b { content: '&' }")}</style>`.toString()).toBe("<style>a > b { content: '&' }</style>")
  expect(html`<hr>`.toString()).toBe('<hr>')
  expect(html`${'a'}${'b'}`.toString()).toBe('ab')
})

const decodeEntities = (written: string): string =>
  written
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
