import { expect, test } from 'vitest'
import { factsIn, fillHtml, fillText, fillUrl } from './placeholders.ts'

const FACTS = new Map([
  ['object.name', 'Press <4> & "co"'],
  ['object.properties.a-b.c', '1/2'],
  ['object.type', '{{object.name}}'],
])

test.each([
  ['Hello {{object.name}}!', 'Hello Press <4> & "co"!'],
  ['{{ object.name | this machine }}', 'Press <4> & "co"'],
  ['{{product.name|this machine}}', 'this machine'],
  ['{{product.name}}', ''],
  ['{{nonsense}} {{}} {{ }} { {x}', ' {{}}  { {x}'],
  ['{{object.type}}', '{{object.name}}'],
  ['{{{object.properties.a-b.c}}}', '{1/2}'],
])('fills in %s', (text, filled) => {
  expect(fillText(text, FACTS)).toBe(filled)
})

test('values are encoded in addresses and escaped in HTML', () => {
  expect(fillUrl('https://acme.com/{{object.name}}?a={{x|b c}}', FACTS)).toBe(
    'https://acme.com/Press%20%3C4%3E%20%26%20%22co%22?a=b%20c',
  )
  expect(
    fillHtml('<a href="https://acme.com/%7B%7Bobject.properties.a-b.c%7Cz%7D%7D">{{object.name}}</a>', FACTS),
  ).toBe('<a href="https://acme.com/1%2F2">Press &lt;4&gt; &amp; &quot;co&quot;</a>')
  expect(fillHtml('<p>{{x|a &amp; b}} {{x|<b>}}</p>', FACTS)).toBe('<p>a &amp; b {{x|<b>}}</p>')
})

test('finds the names of facts', () => {
  expect(factsIn('{{object.name}} and {{ product.gtin |none}} and {{}}')).toEqual(['object.name', 'product.gtin'])
})

test('a long text with many braces takes no time', () => {
  const text = '{{'.repeat(5000) + '%7B%7B'.repeat(5000)
  expect(fillHtml(text, FACTS)).toBe(text)
})
