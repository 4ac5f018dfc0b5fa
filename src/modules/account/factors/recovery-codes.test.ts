import { expect, test } from 'vitest'
import { hashRecoveryCode, newRecoveryCode } from './recovery-codes.ts'

test('codes are long, readable and different', () => {
  const codes = Array.from({ length: 100 }, newRecoveryCode)
  expect(new Set(codes).size).toBe(100)
  for (const code of codes) expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{6}-){3}[0-9a-hjkmnp-tv-z]{6}$/)
})

test('a code is the same in capitals, without dashes and with look-alike letters', () => {
  const code = '01abcd-efghjk-mnpqrs-tvwxyz'
  const typed = [' 01ABCD EFGHJK MNPQRS TVWXYZ ', '01abcdefghjkmnpqrstvwxyz', 'oIabcd-efghjk-mnpqrs-tvwxyz']
  for (const text of typed) expect(hashRecoveryCode(text)).toBe(hashRecoveryCode(code))
  expect(hashRecoveryCode('01abcd-efghjk-mnpqrs-tvwxy0')).not.toBe(hashRecoveryCode(code))
})
