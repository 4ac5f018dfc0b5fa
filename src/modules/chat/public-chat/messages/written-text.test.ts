import { expect, test } from 'vitest'
import { writtenText } from './written-text.ts'

const link = (url: string) => `<a href="${url}" target="_blank" rel="noopener noreferrer nofollow">${url}</a>`

test.each([
  ['See https://acme.example/a.', `See ${link('https://acme.example/a')}.`],
  ['(http://acme.example/x?y=1&z=2)!', `(${link('http://acme.example/x?y=1&amp;z=2')})!`],
  ['javascript:alert(1) and https://', 'javascript:alert(1) and https://'],
  ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
  ['https://acme.example/"><script>', `${link('https://acme.example/')}&quot;&gt;&lt;script&gt;`],
  ['تنظيف 🏷 https://acme.example/ä', `تنظيف 🏷 ${link('https://acme.example/ä')}`],
])('%s', (text, expected) => {
  expect(writtenText(text).toString()).toBe(expected)
})
