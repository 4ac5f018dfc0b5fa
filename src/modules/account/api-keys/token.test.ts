import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isWellFormedToken, newToken } from './token.ts'

test('new keys are well formed and unique', () => {
  const tokens = Array.from({ length: 1000 }, newToken)
  expect(tokens.every(isWellFormedToken)).toBe(true)
  expect(new Set(tokens).size).toBe(1000)
})

test('the checksum detects one wrong character or two swapped ones', () => {
  fc.assert(
    fc.property(
      fc.nat(38),
      fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'),
      (at, letter) => {
        const token = newToken()
        const position = 'wm_live_'.length + at
        const changed = token.slice(0, position) + letter + token.slice(position + 1)
        const swapped = token.slice(0, position) + token[position + 1] + token[position] + token.slice(position + 2)
        for (const other of [changed, swapped]) if (other !== token) expect(isWellFormedToken(other)).toBe(false)
      },
    ),
  )
})
