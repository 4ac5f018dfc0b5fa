import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RESERVED_WORDS } from '../../../platform/contract/reserved-words.ts'
import { forEachPlace, PLACES } from '../destinations/contract.ts'
import { PRIMARY_KEYS } from '../gs1/index.ts'
import { isGs1Address, parseScanAddress } from './address.ts'

const parse = (path: string) => parseScanAddress(path, () => true)
const parseOnDomain = (path: string) => parseScanAddress(path, () => false)

const GTIN = '09506000134352'
const NO_GS1 = { cpv: null, lot: null, serial: null }
const code = (slug: string) => ({ kind: 'qr_code', slug })
const object = (slug: string) => ({ kind: 'object', slug })
const keyed = (organisation: string | null, gs1Key: string, whole: object | null = null) => ({
  kind: 'object',
  organisation,
  gs1Key,
  whole,
})
const product = (organisation: string | null, gs1: object = {}) => ({
  kind: 'product',
  organisation,
  gtin: GTIN,
  gs1: { ...NO_GS1, ...gs1 },
})

test.each<[string, object]>([
  ['/aB3dE5gH', code('aB3dE5gH')],
  ['/aB3dE5gH/', code('aB3dE5gH')],
  ['/22222222', code('22222222')],
  ['/zzzzzzzz', code('zzzzzzzz')],
  ['/ABCDEFGH', code('ABCDEFGH')],
  // L is unambiguous in upper case, i and o in lower case.
  ['/LLLLiioo', code('LLLLiioo')],
  // Chosen by somebody.
  ['/aB3dE5g', code('aB3dE5g')],
  ['/aB3dE5g0', code('aB3dE5g0')],
  ['/Summer_Sale-2026', code('Summer_Sale-2026')],
  ['/abc/', code('abc')],
  [`/${'x'.repeat(64)}`, code('x'.repeat(64))],
  ['/o/aB3dE5gH', object('aB3dE5gH')],
  ['/o/aB3dE5gH/', object('aB3dE5gH')],
  [`/01/${GTIN}`, product(null)],
  [`/01/${GTIN}/`, product(null)],
  ['/01/9506000134352', product(null)],
  [`/g/acme/01/${GTIN}`, product('acme')],
  [`/g/acme/01/${GTIN}/`, product('acme')],
  [`/g/a/01/${GTIN}`, product('a')],
  [`/g/${'a'.repeat(63)}/01/${GTIN}`, product('a'.repeat(63))],
  [`/g/01/01/${GTIN}`, product('01')],
  [`/g/acme/01/${GTIN}/22/2A/10/L%2F1/21/S-9`, product('acme', { cpv: '2A', lot: 'L/1', serial: 'S-9' })],
  [`/01/${GTIN}/21/01`, product(null, { serial: '01' })],
  ['/g/acme/00/106141412345678908', keyed('acme', '00/106141412345678908')],
  ['/8004/9506000A%2f1', keyed(null, '8004/9506000A%2F1')],
  ['/414/9506000134352/254/B2', keyed(null, '414/9506000134352/254/B2', keyed(null, '414/9506000134352'))],
])('parses %s', (path, address) => {
  expect(parse(path)).toMatchObject(address)
})

test.each([
  ['nothing', ''],
  ['the root', '/'],
  ['two slashes', '//'],
  ['no leading slash', 'aB3dE5gH'],
  ['another character in place of the slash', '!aB3dE5gH'],
  ['two leading slashes', '//aB3dE5gH'],
  ['two trailing slashes', '/aB3dE5gH//'],
  ['a second segment', '/aB3dE5gH/x'],
  ['two letters', '/ab'],
  ['65 letters', `/${'x'.repeat(65)}`],
  ['a dot', '/robots.txt'],
  ['an encoded letter', '/%61B3dE5gH'],
  ['an encoded letter in a path of eight characters', '/%61B3dE5'],
  ['an encoded trailing slash', '/aB3dE5gH%2F'],
  ['a trailing line feed', '/aB3dE5gH\n'],
  ['a line feed as the eighth character', '/aB3dE5g\n'],
  ['full-width letters', '/ａB3dE5gH'],
  ['a query, which is not part of a path', '/aB3dE5gH?a=1'],
  ['a fragment', '/aB3dE5gH#f'],
  ['an object without a slug', '/o/'],
  ['an object without a slug or slash', '/o'],
  ['an object prefix in upper case', '/O/aB3dE5gH'],
  ['an object with seven letters', '/o/aB3dE5g'],
  ['an object with two slashes', '/o//aB3dE5gH'],
  ['two object prefixes', '/o/o/aB3dE5gH'],
  ['an object with a second segment', '/o/aB3dE5gH/x'],
  ['a product without a number', '/01/'],
  ['a wrong check digit', '/01/09506000134353'],
  ['a product with an empty organisation', `/g//01/${GTIN}`],
  ['a product prefix without an organisation', `/g/01/${GTIN}`],
  ['an organisation in upper case', `/g/Acme/01/${GTIN}`],
  ['an organisation that is too long', `/g/${'a'.repeat(64)}/01/${GTIN}`],
  ['an encoded organisation', `/g/%61cme/01/${GTIN}`],
  ['an organisation in two segments', `/g/acme/x/01/${GTIN}`],
  ['a GS1 key that we do not resolve', '/g/acme/8013/1987654Ad4X4bL5ttr2310c2K'],
  ['a wrong check digit of a shipment', '/g/acme/00/106141412345678909'],
  ['an organisation alone', '/g/acme'],
  ['a product as an object', `/o/01/${GTIN}`],
  ['an unknown qualifier', `/g/acme/01/${GTIN}/99/x`],
  ['lot and serial in the wrong order', `/g/acme/01/${GTIN}/21/S/10/L`],
  ['a line feed after the number', `/01/${GTIN}\n`],
])('rejects %s', (_what, path) => {
  expect(parse(path)).toBeUndefined()
})

test('the slug of an object consists of the 57 unambiguous characters, a chosen one of letters, digits, - and _', () => {
  const characters = Array.from({ length: 0x500 }, (_, n) => String.fromCodePoint(n))
  const accepted = (prefix: string) =>
    characters.filter((each) => parse(`${prefix}aB3dE5g${each}`) !== undefined).join('')
  expect(accepted('/o/')).toBe('23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz')
  expect(accepted('/')).toBe('-/0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz')
})

test.each([
  ['/help', 'help'],
  ['/start/', 'start'],
  ['/1', '1'],
  ['/summer/sale', 'summer/sale'],
  ['/2026/x/y', '2026/x/y'],
  ['/docs', 'docs'],
  ['/docs/x', 'docs/x'],
  ['/account', 'account'],
  ['/api/x', 'api/x'],
  ['/01', '01'],
  ['/p', 'p'],
  ['/o', 'o'],
  ['/o/', 'o'],
])('%s is a code on a custom domain, and none on our own host', (path, slug) => {
  expect(parseOnDomain(path)).toEqual(code(slug))
  expect(parse(path)).toBeUndefined()
})

test.each([
  ...Object.values(forEachPlace((place) => `${PLACES[place].path}x`)),
  ...PRIMARY_KEYS.flatMap((key) => [`/${key}/x`, `/${key}/x/y`]),
  ...['/o/x', '/g/x', '/assets/x', '/v1', '/v1/x', '/oauth', '/internal', '/healthz', '/readyz'],
  ...['/a//b', '/a/b.c'],
])('a custom domain has something else at %s', (path) => expect(parseOnDomain(path)).toBeUndefined())

test.each(PRIMARY_KEYS)('%s alone is no Digital Link, so it can be a code of a custom domain', (key) => {
  expect(parseOnDomain(`/${key}`)).toEqual(code(key))
  expect(parseOnDomain(`/${key}/`)).toEqual(code(key))
})

test('never throws, and returns only slugs that are in the path', () => {
  const similar = fc
    .array(fc.constantFrom('/', 'o', 'g', '01', GTIN, 'aB3dE5gH', '10', '%', '\n', '?', 'x'), { maxLength: 8 })
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.oneof(fc.string(), similar), (path) => {
      const address = parseOnDomain(path)
      if (address === undefined || isGs1Address(address)) return
      const bare = address.kind === 'object' ? `/o/${address.slug}` : `/${address.slug}`
      expect([bare, `${bare}/`]).toContain(path)
    }),
    { numRuns: 2000 },
  )
})

test('no word of our own addresses is the address of a code', () => {
  for (const word of RESERVED_WORDS) expect(parse(`/${word}`), word).toBeUndefined()
})
