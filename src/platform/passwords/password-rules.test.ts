import { expect, test } from 'vitest'
import { findPasswordProblem } from './password-rules.ts'

const problemOf = (password: string) => findPasswordProblem(password, 'kim.berg.acme@acme.com')

test('accepts any text of 10 to 200 characters, counted as people count', () => {
  for (const password of ['lamp river seven', '0123 abc 4567', '🏷️🏷️🏷️ labels', 'x9'.repeat(5) + 'q'.repeat(185)]) {
    expect(problemOf(password), password).toBeUndefined()
  }
  expect(problemOf('abcdefghi')).toBe('too_short')
  expect(problemOf('🏷'.repeat(9))).toBe('too_short')
  expect(problemOf('ab c'.repeat(51))).toBe('too_long')
})

test('refuses common passwords, in any case and with punctuation around them', () => {
  for (const password of [
    'password123',
    'PassWord123',
    '!!password123!',
    'qwertyuiop',
    '1q2w3e4r5t',
    'aaaaaaaaaa',
    'abcabcabcabc',
  ]) {
    expect(problemOf(password), password).toBe('too_common')
  }
})

test('refuses what others know about the person', () => {
  for (const password of ['kim.berg.acme@acme.com', 'KIM.BERG.ACME@ACME.COM', 'kim.berg.acme', 'kim.berg.acme2026!']) {
    expect(problemOf(password), password).toBe('about_you')
  }
})
