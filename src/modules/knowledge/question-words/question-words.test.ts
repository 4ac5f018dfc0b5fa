import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '../../../platform/contract/languages.ts'
import { isFunctionWord, tokenize } from '../article-search/index.ts'
import { wordsOf } from './index.ts'

const BY_CHARACTERS = ['ja', 'ko', 'zh']

describe.each(LANGUAGES)('in %s', (language) => {
  const { fillers, weakWords, fillerPhrases, weakPhrases, howTo, followUp, opposites } = wordsOf(language)

  test('there are filler words, or phrases where words are not separated', () => {
    if (BY_CHARACTERS.includes(language)) {
      expect(fillerPhrases).toBeInstanceOf(RegExp)
      expect(weakWords.size).toBe(0)
    } else {
      expect(fillerPhrases).toBeUndefined()
      expect(fillers.size).toBeGreaterThan(30)
      expect(weakWords.size).toBeGreaterThan(fillers.size)
    }
    expect(weakPhrases).toBeInstanceOf(RegExp)
    for (const pattern of [howTo, followUp]) expect('').not.toMatch(pattern)
    expect(opposites.length).toBeGreaterThan(1)
  })

  test('words are written as search reads them, and fillers are not function words as well', () => {
    if (!BY_CHARACTERS.includes(language)) {
      const words = [...weakWords, ...opposites.flat(2)]
      expect(words.map((word) => [...tokenize(word, false)].map(({ text }) => text).join())).toEqual(words)
    }
    expect([...fillers].filter((word) => isFunctionWord(word, language))).toEqual([])
  })
})

test('a region has the words of its language, and an unknown language none', () => {
  expect(wordsOf('de-AT')).toBe(wordsOf('de'))
  expect(wordsOf('he').weakWords.size).toBe(0)
  expect('How do I do that?').not.toMatch(wordsOf('he').howTo)
})
