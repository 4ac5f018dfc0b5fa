import { expect, test } from 'vitest'
import { CountryCode } from './country-code.ts'

test.each([
  ['DE', 'DE'],
  ['de', 'DE'],
  ['UK', 'GB'],
  ['XK', 'XK'],
])('%s is the country %s', (sent, code) => {
  expect(CountryCode.parse(sent)).toBe(code)
})

test.each(['EU', 'ZZ', 'XX', 'QQ', 'DEU', 'D', '', '12', 'D-', 'ẞ'])('%j is no country', (sent) => {
  expect(CountryCode.safeParse(sent).success).toBe(false)
})
