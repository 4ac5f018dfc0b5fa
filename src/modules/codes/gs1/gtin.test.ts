import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isGtinForm, normaliseGtin } from './gtin.ts'

test.each([
  // 9·1+5·3+2·1+0·3+1·1+2·3+3·1+4·3+5·1+6·3+7·1+0·3 = 78, so the check digit is 2.
  ['9520123456702', '09520123456702'],
  // With 8·3 instead of 0·3 the sum is 102, so the check digit is 8.
  ['9520123456788', '09520123456788'],
  ['4006381333931', '04006381333931'],
  ['5901234123457', '05901234123457'],
  ['036000291452', '00036000291452'],
  ['614141007349', '00614141007349'],
  ['96385074', '00000096385074'],
  ['73513537', '00000073513537'],
  ['10614141543219', '10614141543219'],
  ['09506000134352', '09506000134352'],
  ['00000096385074', '00000096385074'],
])('%s is the GTIN-14 %s', (text, gtin) => {
  expect(normaliseGtin(text)).toBe(gtin)
})

test.each(['4006381333930', '036000291453', '96385073', '10614141543218', '4006381339331'])(
  '%s has the format of a GTIN, but a wrong check digit',
  (text) => {
    expect(isGtinForm(text)).toBe(true)
    expect(normaliseGtin(text)).toBeUndefined()
  },
)

test.each(['00000000', '000000000000', '0000000000000', '00000000000000'])(
  '%s is rejected because GS1 assigns no such number',
  (text) => {
    expect(normaliseGtin(text)).toBeUndefined()
  },
)

test.each([
  '',
  '9638507',
  '963850740',
  '0096385074',
  '00096385074',
  '004006381333931',
  ' 4006381333931',
  '4006381333931\n',
  '4006381 333931',
  '+4006381333931',
  '-4006381333931',
  '400638133393.1',
  '40063813339e1',
  '٤٠٠٦٣٨١٣٣٣٩٣١',
  '４００６３８１３３３９３１',
])('%j does not have the format of a GTIN', (text) => {
  expect(isGtinForm(text)).toBe(false)
  expect(normaliseGtin(text)).toBeUndefined()
})

test('exactly one of the ten possible check digits is accepted', () => {
  const body = fc.array(fc.nat(9), { minLength: 13, maxLength: 13 }).filter((digits) => digits.some((d) => d > 0))
  fc.assert(
    fc.property(body, (digits) => {
      const weighted = digits.toReversed().reduce((sum, digit, fromRight) => sum + digit * [3, 1][fromRight % 2]!, 0)
      const correct = (Math.ceil(weighted / 10) * 10 - weighted) % 10
      const prefix = digits.join('')
      for (let last = 0; last <= 9; last++) {
        expect(normaliseGtin(`${prefix}${last}`)).toBe(last === correct ? `${prefix}${last}` : undefined)
      }
    }),
  )
})
