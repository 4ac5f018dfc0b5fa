import { expect, test } from 'vitest'
import { LANGUAGES } from '../../../platform/contract/languages.ts'
import { isFunctionWord, stem, tokenize } from '../article-search/index.ts'
import { findEverydaySynonyms } from './index.ts'

const GROUPS_MAX = 120
const PHRASES_MAX = 12
const WORDS_MAX = 5

test.each(LANGUAGES)(
  'in %s, the list is short, and its groups have several words or phrases with a meaning',
  (language) => {
    const groups = findEverydaySynonyms(language) ?? []
    expect(groups.length).toBeGreaterThan(50)
    expect(groups.length).toBeLessThanOrEqual(GROUPS_MAX)
    for (const group of groups) {
      expect(group.length, group.join()).toBeLessThanOrEqual(PHRASES_MAX)
      const forms = new Set<string>()
      for (const phrase of group) {
        const words = [...tokenize(phrase, false)].map(({ text }) => text)
        expect(words.length, phrase).toBeGreaterThan(0)
        // Japanese, Chinese and Korean are pairs of characters.
        expect(phrase.split(' ').length, phrase).toBeLessThanOrEqual(WORDS_MAX)
        expect(
          words.every((word) => isFunctionWord(word, language)),
          phrase,
        ).toBe(false)
        forms.add(words.map((word) => stem(word, language)).join(' '))
      }
      expect(forms.size, group.join()).toBeGreaterThan(1)
    }
  },
)

test('a region has the synonyms of its language, and an unknown language none', () => {
  expect(findEverydaySynonyms('de-AT')).toEqual(findEverydaySynonyms('de'))
  expect(findEverydaySynonyms('he')).toBeUndefined()
})
