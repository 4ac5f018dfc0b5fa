import { expect, test } from 'vitest'
import { HostName } from './host-name.ts'

test.each([
  ['menu.acme.com', 'menu.acme.com'],
  ['Menu.ACME.com', 'menu.acme.com'],
  ['müller.example', 'xn--mller-kva.example'],
  ['a.co', 'a.co'],
])('%s is the host %s', (sent, name) => {
  expect(HostName.parse(sent)).toBe(name)
})

test.each([
  '',
  'acme',
  'https://acme.com',
  'acme.com/',
  'acme.com:443',
  '127.0.0.1',
  '0x7f.1',
  '[::1]',
  'a b.com',
  'a@b.com',
  `${'a.'.repeat(130)}com`,
])('%j is no name of a host', (sent) => {
  expect(HostName.safeParse(sent).success).toBe(false)
})
