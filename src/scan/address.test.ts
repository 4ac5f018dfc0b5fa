import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseScanAddress } from './address.ts'

const GTIN = '09506000134352'
const NO_GS1 = { cpv: null, lot: null, serial: null }
const code = (slug: string) => ({ kind: 'qr_code', slug })
const object = (slug: string) => ({ kind: 'object', slug })
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
  // In capitals an L looks like nothing else, nor do i and o in small letters.
  ['/LLLLiioo', code('LLLLiioo')],
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
])('%s is read', (path, address) => {
  expect(parseScanAddress(path)).toEqual(address)
})

test.each([
  ['nothing', ''],
  ['the root', '/'],
  ['two slashes', '//'],
  ['seven letters', '/aB3dE5g'],
  ['nine letters', '/aB3dE5gHx'],
  ['no slash before it', 'aB3dE5gH'],
  ['another sign in the place of the slash', '!aB3dE5gH'],
  ['two slashes before it', '//aB3dE5gH'],
  ['two slashes behind it', '/aB3dE5gH//'],
  ['more behind it', '/aB3dE5gH/x'],
  ['0', '/aB3dE5g0'],
  ['O', '/aB3dE5gO'],
  ['1', '/aB3dE5g1'],
  ['l', '/aB3dE5gl'],
  ['I', '/aB3dE5gI'],
  ['a hyphen', '/aB3dE5-H'],
  ['an encoded letter', '/%61B3dE5gH'],
  ['an encoded letter that makes eight signs', '/%61B3dE5'],
  ['an encoded slash behind it', '/aB3dE5gH%2F'],
  ['a line feed behind it', '/aB3dE5gH\n'],
  ['a line feed in it', '/aB3dE5g\n'],
  ['full-width letters', '/ａB3dE5gH'],
  ['a query, which is no part of a path', '/aB3dE5gH?a=1'],
  ['a fragment', '/aB3dE5gH#f'],
  ['no object', '/o/'],
  ['no object, no slash', '/o'],
  ['an object in capitals', '/O/aB3dE5gH'],
  ['an object with seven letters', '/o/aB3dE5g'],
  ['an object with two slashes', '/o//aB3dE5gH'],
  ['an object of an object', '/o/o/aB3dE5gH'],
  ['an object with more behind it', '/o/aB3dE5gH/x'],
  ['no number', '/01/'],
  ['a wrong check digit', '/01/09506000134353'],
  ['a product of an organisation with no name', `/g//01/${GTIN}`],
  ['a product of nobody', `/g/01/${GTIN}`],
  ['an organisation in capitals', `/g/Acme/01/${GTIN}`],
  ['an organisation that is too long', `/g/${'a'.repeat(64)}/01/${GTIN}`],
  ['an encoded organisation', `/g/%61cme/01/${GTIN}`],
  ['an organisation in two parts', `/g/acme/x/01/${GTIN}`],
  ['another key', '/g/acme/00/106141412345678908'],
  ['an organisation alone', '/g/acme'],
  ['a product as an object', `/o/01/${GTIN}`],
  ['an unknown qualifier', `/g/acme/01/${GTIN}/99/x`],
  ['lot and serial the wrong way round', `/g/acme/01/${GTIN}/21/S/10/L`],
  ['a line feed behind the number', `/01/${GTIN}\n`],
])('%s is refused', (_what, path) => {
  expect(parseScanAddress(path)).toBeUndefined()
})

test('of all signs exactly the 57 that cannot be taken for each other make a slug', () => {
  const signs = Array.from({ length: 0x500 }, (_, n) => String.fromCodePoint(n))
  const accepted = signs.filter((sign) => parseScanAddress(`/aB3dE5g${sign}`)?.kind === 'qr_code').join('')
  expect(accepted).toBe('23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz')
})

test('no path makes it throw, and whatever it reads as a slug is one', () => {
  const near = fc
    .array(fc.constantFrom('/', 'o', 'g', '01', GTIN, 'aB3dE5gH', '10', '%', '\n', '?', 'x'), { maxLength: 8 })
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.oneof(fc.string(), near), (path) => {
      const address = parseScanAddress(path)
      if (address === undefined || address.kind === 'product') return
      const bare = address.kind === 'object' ? `/o/${address.slug}` : `/${address.slug}`
      expect([bare, `${bare}/`]).toContain(path)
    }),
    { numRuns: 2000 },
  )
})
