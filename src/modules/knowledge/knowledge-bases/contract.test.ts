import { expect, test } from 'vitest'
import { KnowledgeBaseCreate } from './contract.ts'

const accepts = (fields: object): boolean => KnowledgeBaseCreate.safeParse({ name: 'Care', ...fields }).success

test.each(['a', '0', '-', 'care-guide-2', 'x'.repeat(200)])('accepts the slug %s', (slug) => {
  expect(accepts({ slug })).toBe(true)
})

test.each(['', 'Care', 'care guide', 'care_guide', 'größe', 'care\n', ' care', 'x'.repeat(201), null, 5])(
  'rejects the slug %j',
  (slug) => {
    expect(accepts({ slug })).toBe(false)
  },
)

test.each([
  'https://acme.com/logo.svg',
  'HTTPS://ACME.COM',
  'https://müller.example/ü.png?size=2#top',
  `https://acme.com/${'x'.repeat(2048 - 'https://acme.com/'.length)}`,
  null,
])('accepts the logo URL %j', (logo_url) => {
  expect(accepts({ logo_url })).toBe(true)
})

test.each([
  'http://acme.com/logo.svg',
  'javascript:alert(1)',
  'data:image/png;base64,AAAA',
  '//acme.com/logo.svg',
  'acme.com/logo.svg',
  'https://',
  'https:///logo.svg',
  'https:acme.com',
  ' https://acme.com/',
  'https://acme.com/a b',
  'https://acme.com/\n',
  `https://acme.com/${'x'.repeat(2049 - 'https://acme.com/'.length)}`,
  '',
  5,
])('rejects the logo URL %j', (logo_url) => {
  expect(accepts({ logo_url })).toBe(false)
})
