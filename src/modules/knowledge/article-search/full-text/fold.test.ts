import { expect, test } from 'vitest'
import { fold } from './fold.ts'

test.each([
  ['Größe', 'GRÖSSE'],
  ['Crème', 'CRE\u0300ME'],
  ['ＡＢＣ１２', 'abc12'],
  ['Łódź', 'lodz'],
  ['Ærø', 'aero'],
  ['İstanbul', 'istanbul'],
  ['ΟΔΟΣ', 'οδος'],
  ['ﾌﾟﾘﾝﾀｰ', 'プリンター'],
  ['Donau\u00addampf', 'donaudampf'],
  ["printer's", 'printers'],
])('folds %s and %s to the same text', (one, other) => {
  expect(fold(one)).toBe(fold(other))
})

test.each([
  ['が', 'か'],
  ['ぱ', 'は'],
  ['한', '하'],
])('does not fold %s to %s, which is another sound', (one, other) => {
  expect(fold(one)).not.toBe(fold(other))
  expect(fold(one)).toBe(one)
})
