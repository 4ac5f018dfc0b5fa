import fc from 'fast-check'
import { expect, test } from 'vitest'
import { digitalLinkPath, linkPath, normaliseGs1Key, parseDigitalLink, toProductQualifiers } from './digital-link.ts'

const GTIN = '09506000134352'
const product = (parts: object) => ({ cpv: null, lot: null, serial: null, ...parts })

test.each([
  [`/01/${GTIN}`, {}],
  [`/01/${GTIN}/`, {}],
  ['/01/9506000134352', {}],
  ['/01/%30950600013435%32', {}],
  [`/01/${GTIN}/22/2A`, { cpv: '2A' }],
  [`/01/${GTIN}/10/ABC123`, { lot: 'ABC123' }],
  [`/01/${GTIN}/21/12345/`, { serial: '12345' }],
  [`/01/${GTIN}/22/2A/10/ABC123/21/12345`, { cpv: '2A', lot: 'ABC123', serial: '12345' }],
  [`/01/${GTIN}/22/2A/21/12345`, { cpv: '2A', serial: '12345' }],
  [`/01/${GTIN}/10/10/21/21`, { lot: '10', serial: '21' }],
  [`/01/${GTIN}/10/A%2FB%3FC`, { lot: 'A/B?C' }],
  [`/01/${GTIN}/10/%2541`, { lot: '%41' }],
  [`/01/${GTIN}/10/A+B`, { lot: 'A+B' }],
  [`/01/${GTIN}/10/${'9'.repeat(20)}`, { lot: '9'.repeat(20) }],
  [`/01/${GTIN}/10/${'%2F'.repeat(20)}`, { lot: '/'.repeat(20) }],
])('%s is parsed', (path, parts) => {
  const link = parseDigitalLink(path)
  expect(link).toMatchObject({ key: '01', value: GTIN })
  expect(link && toProductQualifiers(link)).toEqual(product(parts))
})

test.each([
  ['an empty path', ''],
  ['no number', '/01/'],
  ['no number, no slash', '/01'],
  ['an attribute as key', '/17/261231'],
  ['an unknown key', '/9999/1'],
  ['an extension after a lot', `/01/${GTIN}/10/A/235/B`],
  ['a prefix', `/shop/01/${GTIN}`],
  ['no leading slash', `01/${GTIN}`],
  ['a wrong check digit', '/01/09506000134353'],
  ['15 digits once decoded', '/01/%3009506000134352'],
  ['letters', '/01/0950600013435X'],
  ['an unknown qualifier', `/01/${GTIN}/99/ABC`],
  ['a repeated qualifier', `/01/${GTIN}/10/A/10/B`],
  ['the serial before the lot', `/01/${GTIN}/21/1/10/A`],
  ['the lot before the variant', `/01/${GTIN}/10/A/22/2A`],
  ['a qualifier without a value', `/01/${GTIN}/10`],
  ['an empty value', `/01/${GTIN}/10/`],
  ['an empty value before another', `/01/${GTIN}/10//21/1`],
  ['two trailing slashes', `/01/${GTIN}//`],
  ['a trailing segment', `/01/${GTIN}/info`],
  ['a query', `/01/${GTIN}?linkType=gs1:pip`],
  ['a query after a value', `/01/${GTIN}/10/A?17=261231`],
  ['a cut-off escape', `/01/${GTIN}/10/A%2`],
  ['an escape that is not UTF-8', `/01/${GTIN}/10/%FF`],
  ['a letter outside the character set', `/01/${GTIN}/10/%C3%A9`],
  ['a space', `/01/${GTIN}/10/A%20B`],
  ['U+0000', `/01/${GTIN}/10/A%00`],
  ['a line feed at the end', `/01/${GTIN}/10/A%0A`],
  ['a number sign', `/01/${GTIN}/10/A%23`],
  ['21 characters', `/01/${GTIN}/10/${'9'.repeat(21)}`],
  ['an escaped key', `/%30%31/${GTIN}`],
])('%s is rejected', (_, path) => {
  expect(parseDigitalLink(path)).toBeUndefined()
})

test.each([
  ['/00/106141412345678908', '00/106141412345678908'],
  ['/414/9506000134352', '414/9506000134352'],
  ['/414/9506000134352/254/B%2F2/', '414/9506000134352/254/B%2F2'],
  ['/253/9506000134352', '253/9506000134352'],
  ['/253/9506000134352INV(7)', '253/9506000134352INV%287%29'],
  ['/255/9506000134352000123', '255/9506000134352000123'],
  ['/8003/09506000134352A1', '8003/09506000134352A1'],
  ['/8004/9506000crate-1', '8004/9506000crate-1'],
  ['/8004/9506000crate-1/7040/1ABC', '8004/9506000crate-1/7040/1ABC'],
  ['/8010/9506000PART%231/8011/12', '8010/9506000PART%231/8011/12'],
  ['/8017/950600013435200008', '8017/950600013435200008'],
  ['/8018/950600013435200008/8019/4', '8018/950600013435200008/8019/4'],
])('%s is the key %s of an object', (path, key) => {
  expect(normaliseGs1Key(path.slice(1))).toBe(key)
  expect(normaliseGs1Key(key)).toBe(key)
})

test.each([
  ['a wrong check digit of an SSCC', '00/106141412345678909'],
  ['17 digits', '00/10614141234567890'],
  ['a wrong check digit of a location', '414/9506000134353'],
  ['a wrong check digit of a document', '253/9506000134353A'],
  ['letters in a coupon', '255/9506000134352A'],
  ['a returnable asset without the zero', '8003/19506000134352'],
  ['a wrong check digit of a returnable asset', '8003/09506000134353'],
  ['an asset without a company prefix', '8004/ABC'],
  ['31 characters', `8004/${'9'.repeat(31)}`],
  ['lower case in a part', '8010/9506000part'],
  ['a leading zero in the serial number of a part', '8010/9506000PART/8011/012'],
  ['the qualifier of another key', '8004/9506000A/8011/1'],
  ['both alternatives', '414/9506000134352/254/1/7040/1ABC'],
  ['a product', `01/${GTIN}`],
  ['nothing', ''],
])('%s is no key of an object', (_, key) => {
  expect(normaliseGs1Key(key)).toBeUndefined()
})

test('every value that GS1 allows survives a round trip', () => {
  const allowed = [...'!"%&\'()*+,-./0123456789:;<=>?ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz']
  expect(allowed).toHaveLength(82)
  const value = fc.array(fc.constantFrom(...allowed), { minLength: 1, maxLength: 20 }).map((text) => text.join(''))
  const optional = fc.option(value)
  fc.assert(
    fc.property(optional, optional, optional, (cpv, lot, serial) => {
      const path = digitalLinkPath(GTIN, { cpv, lot, serial })
      const link = parseDigitalLink(path)
      expect(link && toProductQualifiers(link)).toEqual({ cpv, lot, serial })
      expect(link && linkPath(link)).toBe(path)
    }),
  )
})

test('never throws', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(() => parseDigitalLink(`/01/${GTIN}/10/${text}`)).not.toThrow()
    }),
  )
})
