import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isWellFormedToken, newToken } from './token.ts'

test('every new key is well formed, and no two are alike', () => {
  const tokens = Array.from({ length: 1000 }, newToken)
  expect(tokens.every(isWellFormedToken)).toBe(true)
  expect(new Set(tokens).size).toBe(1000)
})

test('one wrong or swapped character is told by the checksum', () => {
  fc.assert(
    fc.property(
      fc.nat(38),
      fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'),
      (at, letter) => {
        const token = newToken()
        const place = 'wm_live_'.length + at
        const changed = token.slice(0, place) + letter + token.slice(place + 1)
        const swapped = token.slice(0, place) + token[place + 1] + token[place] + token.slice(place + 2)
        for (const other of [changed, swapped]) if (other !== token) expect(isWellFormedToken(other)).toBe(false)
      },
    ),
  )
})
