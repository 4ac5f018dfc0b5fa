import { expect, test } from 'vitest'
import { codeAt, findStep, newSeed, seedUri } from './totp.ts'

/** The seed of the test vectors in RFC 6238, appendix B: the bytes of `12345678901234567890`. */
const SEED = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

/** The RFC has eight digits. Six are the last six of them. */
test.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
])('at %d s the code is that of RFC 6238', (seconds, code) => {
  expect(codeAt(SEED, seconds * 1000)).toBe(code)
})

test('the code before and after the current one is accepted, and no other', () => {
  const nowMs = 1_800_000_000_000
  const step = nowMs / 30_000
  const found = [-2, -1, 0, 1, 2].map((away) => findStep(SEED, codeAt(SEED, nowMs + away * 30_000), nowMs))
  expect(found).toEqual([undefined, step - 1, step, step + 1, undefined])
  for (const code of ['', '1', '0000000', '١٢٣٤٥٦', 'abcdef']) expect(findStep(SEED, code, nowMs)).toBeUndefined()
})

test('seeds have 160 bits and differ', () => {
  const seeds = Array.from({ length: 100 }, newSeed)
  expect(new Set(seeds).size).toBe(100)
  for (const seed of seeds) expect(seed).toMatch(/^[A-Z2-7]{32}$/)
})

test('the URI names the person and the service', () => {
  expect(seedUri(SEED, 'kim+new@acme.com', 'Way mark')).toBe(
    `otpauth://totp/Way%20mark:kim%2Bnew%40acme.com?secret=${SEED}&issuer=Way%20mark`,
  )
})
