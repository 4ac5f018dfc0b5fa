import { expect, test } from 'vitest'
import { excerpt } from './lists.ts'

test.each([
  ['short', 'short'],
  ['  two\n\nlines ', 'two lines'],
  ['one two three four five six', 'one two three…'],
  ['onetwothreefourfivesixseven', 'onetwothreefourf…'],
  ['123456789012345🪑🪑', '123456789012345…'],
])('excerpt of %j is %j', (text, expected) => {
  expect(excerpt(text, 16)).toBe(expected)
})
