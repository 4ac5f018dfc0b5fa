import { expect, test } from 'vitest'
import { languageOf } from './question.ts'

test.each([
  ['Wie oft muss ich den Tisch ölen?', 'en', 'de'],
  ['How often do I have to oil it?', 'de', 'en'],
  ['テーブルに油', 'en', 'ja'],
  // Too short to tell.
  ['no', 'en', 'en'],
  ['die Lampe', 'en', 'en'],
  ['', 'fr', 'fr'],
  ['🏷 🏷 🏷 🏷', 'nl', 'nl'],
] as const)('%j on a page in %s is answered in %s', (text, ofPage, expected) => {
  expect(languageOf(text, ofPage)).toBe(expected)
})
