import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editsBetween, keysOfMisspelling, keysOfWord } from './misspelling.ts'

const LETTERS = 'abcdefghij'
const letter = fc.constantFrom(...LETTERS)
const word = (minLength: number) => fc.string({ unit: letter, minLength, maxLength: minLength + 6 })

function edit(text: string, kind: number, at: number, put: string): string {
  const place = at % text.length
  const [before, after] = [text.slice(0, place), text.slice(place)]
  switch (kind) {
    case 0:
      return before + after.slice(1)
    case 1:
      return before + put + after
    case 2:
      return before + put + after.slice(1)
    default:
      return before + after.slice(1, 2) + after.slice(0, 1) + after.slice(2)
  }
}
const edits = fc.tuple(fc.nat(3), fc.nat(50), letter)
const share = (a: string[], b: string[]) => a.some((key) => b.includes(key))

test('a word of at least five letters shares a key with any misspelling by one edit', () => {
  fc.assert(
    fc.property(word(5), edits, (meant, [kind, at, put]) => {
      const misspelt = edit(meant, kind, at, put)
      expect(editsBetween(misspelt, meant)).toBeLessThanOrEqual(1)
      expect(share(keysOfMisspelling(misspelt, 1), keysOfWord(meant))).toBe(true)
    }),
  )
})

test('a word of at least seven letters shares a key with any misspelling by two edits', () => {
  fc.assert(
    fc.property(word(7), edits, edits, (meant, first, second) => {
      const misspelt = edit(edit(meant, ...first), ...second)
      const between = editsBetween(misspelt, meant)
      // Two swaps over the same letters count as more than two edits.
      fc.pre(between !== undefined)
      expect(share(keysOfMisspelling(misspelt, 2), keysOfWord(meant))).toBe(true)
    }),
  )
})

test('short words and codes have no keys', () => {
  expect(editsBetween('oaj', 'oak')).toBeUndefined()
  expect(editsBetween('tabel', 'tables')).toBeUndefined()
  expect(keysOfWord('wm2000')).toEqual([])
  expect(keysOfMisspelling('wm2001', 1)).toEqual([])
})
