import { expect, test } from 'vitest'
import { LinkUrl } from './contract.ts'
import { parseDigitalLink } from './digital-link.ts'
import { fillerFor, placeholdersOf } from './placeholders.ts'

const fill = (address: string, path: string, { rest, substitute }: { rest?: string; substitute?: string } = {}) =>
  fillerFor(parseDigitalLink(path) ?? expect.fail(path), rest)(address, substitute)
const ITEM = '/01/09506000134352/22/2A/10/L%2F1/21/S%261'

test.each([
  ['https://acme.com/{gtin}/{cpv}', 'https://acme.com/09506000134352/2A'],
  ['https://acme.com/?lot={lot}&serial={serial}#{serial}', 'https://acme.com/?lot=L%2F1&serial=S%261#S%261'],
  ['https://acme.com/%7Bserial%7D/%7blot%7d', 'https://acme.com/S%261/L%2F1'],
  ['https://acme.com/{key}{key}', 'https://acme.com/0950600013435209506000134352'],
  ['https://acme.com/{other}/%7B%22a%22%7D', 'https://acme.com/{other}/%7B%22a%22%7D'],
  // Nothing is inserted in front of the path.
  ['https://{serial}@{lot}.acme.com:{lot}?{lot}', 'https://{serial}@{lot}.acme.com:{lot}?L%2F1'],
])('%s is filled', (address, filled) => {
  expect(fill(address, ITEM)).toBe(filled)
})

test('qualifiers of other keys are filled in, too, and what follows a prefix', () => {
  expect(fill('https://acme.com/{serial}', '/8010/9506000PART1/8011/42')).toBe('https://acme.com/42')
  expect(fill('https://acme.com/{extension}', '/414/9506000134352/254/B2')).toBe('https://acme.com/B2')
  expect(fill('https://acme.com/{instance}', '/8017/950600013435200008/8019/7')).toBe('https://acme.com/7')
  expect(fill('https://acme.com/{tpx}', '/01/09506000134352/235/TPX')).toBe('https://acme.com/TPX')
  expect(fill('https://acme.com/{rest}', '/8004/9506000A%2F1', { rest: '%2F1' })).toBe('https://acme.com/%2F1')
})

test('a value that the link lacks makes the address unusable, unless there is a substitute', () => {
  const address = 'https://acme.com/{gtin}?serial={serial}'
  expect(fill(address, '/01/09506000134352')).toBeUndefined()
  expect(fill(address, '/01/09506000134352', { substitute: '' })).toBe('https://acme.com/09506000134352?serial=')
})

test.each(['.', '..'])('the serial number %s leads to no other folder', (serial) => {
  expect(fill('https://acme.com/items/{serial}', `/01/09506000134352/21/${serial}`)).toBeUndefined()
})

test('no value can leave its place, whatever characters it has', () => {
  for (const char of '!"%&\'()*+,-./0:;<=>?A_a') {
    const filled = fill('https://acme.com/a/{lot}/b?c={lot}&d', `/01/09506000134352/10/x${encodeURIComponent(char)}y`)
    const url = new URL(filled ?? expect.fail(char))
    expect(url.origin).toBe('https://acme.com')
    expect(url.pathname.split('/').map(decodeURIComponent)).toEqual(['', 'a', `x${char}y`, 'b'])
    expect([...url.searchParams]).toEqual([
      ['c', `x${char}y`],
      ['d', ''],
    ])
    expect(url.hash).toBe('')
  }
})

test('an address keeps its placeholders, and is a URI apart from them', () => {
  const sent = 'https://acme.com/öl/{gtin}?a={serial}'
  const stored = LinkUrl.parse(sent)
  expect(stored).toBe('https://acme.com/%C3%B6l/{gtin}?a={serial}')
  expect(LinkUrl.parse(stored)).toBe(stored)
  expect(placeholdersOf(stored)).toEqual(['gtin', 'serial'])
  expect(LinkUrl.parse('https://acme.com/%7Bother%7D')).toBe('https://acme.com/%7Bother%7D')
})

test.each([
  ['https://acme.com/{seriel}', 'Must not have the placeholder {seriel}. Use {gtin}, {cpv}, {lot}, {serial}'],
  ['https://acme.com/{}', 'Must not have the placeholder {}'],
  ['https://{serial}@acme.com/', 'Must not have a placeholder in front of the path'],
  ['https://{serial}.acme.com/', 'Must be an http or https URL'],
  ['{serial}://acme.com/', 'Must be an http or https URL'],
  ['javascript:{serial}', 'Must be an http or https URL'],
])('%s is refused', (url, message) => {
  const { error } = LinkUrl.safeParse(url)
  expect(error?.issues.map((issue) => issue.message).join()).toContain(message)
})
