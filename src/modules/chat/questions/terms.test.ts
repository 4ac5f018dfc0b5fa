import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LANGUAGES, type Language } from '../../../platform/contract/languages.ts'
import { keysOf, similarity, termsOf } from './terms.ts'

const compare = (language: Language, one: string, other: string): number =>
  similarity(termsOf(one, language), termsOf(other, language))

const SAME: [Language, string, string][] = [
  ['en', 'How do I reset the thermostat?', 'thermostat reset'],
  ['en', 'How do I reset the thermostat?', 'Hi, could you please tell me how I can reset my thermostats? Thanks!'],
  ['en', 'How do I reset the thermostat?', 'how to rest the themostat'],
  ['en', 'Where is the filter of the dishwasher', 'DISHWASHER: where is its filter???'],
  ['en', 'The display does not light up', "display doesn't light up"],
  ['en', 'Is there a warranty on the oak table top?', 'warranty for an oak table'],
  ['de', 'Wie kann ich den Stuhl in der Höhe verstellen?', 'Stuhl Hoehe verstellen'],
  ['de', 'Wo finde ich die Seriennummer?', 'Hallo, bitte sagen Sie mir: Wo findet man Seriennumer?'],
  ['fr', 'Comment nettoyer le filtre à eau ?', "Bonjour, je voudrais savoir comment nettoyer les filtres d'eau, merci"],
  ['es', '¿Cómo limpio el filtro del lavavajillas?', 'hola, limpio filtro lavavajillas por favor'],
  ['it', 'Come si pulisce il filtro?', 'Buongiorno, vorrei sapere come si pulisce il filtro'],
  ['nl', 'Hoe maak ik het filter schoon?', 'Hallo, hoe kan ik het filter schoon maken?'],
  ['sv', 'Hur byter jag batteriet?', 'Hej! Kan jag byta batterier?'],
  ['no', 'Hvordan rengjør jeg filteret?', 'Hei, kan dere si meg hvordan jeg rengjør filteret'],
  ['ja', '椅子の高さを調整するにはどうすればいいですか？', '椅子の高さの調整方法を教えてください'],
  ['zh', '请问如何清洗滤网？', '清洗滤网的方法是什么'],
  ['ko', '의자 높이를 조절하는 방법을 알려 주세요', '의자의 높이는 어떻게 조절하나요?'],
]

const OTHER: [Language, string, string][] = [
  ['en', 'How long is the delivery time?', 'How much is the delivery?'],
  ['en', 'How do I replace the battery?', 'How do I charge the battery?'],
  ['en', 'Is model 4711 in stock?', 'Is model 4712 in stock?'],
  ['en', 'oak', 'oar'],
  ['de', 'Wie lange ist die Garantie?', 'Wie lange dauert die Lieferung?'],
  ['fr', 'Comment nettoyer le filtre ?', 'Comment remplacer le filtre ?'],
  ['ja', '椅子の保証期間', '椅子の配送期間はどのくらいですか'],
  ['zh', '如何清洗滤网', '如何更换电池'],
  ['ko', '배송 기간이 어떻게 되나요?', '의자 높이 조절'],
]

test.each(SAME)('%s: "%s" means the same as "%s"', (language, one, other) => {
  expect(compare(language, one, other)).toBeGreaterThan(0)
  expect(compare(language, other, one)).toBe(compare(language, one, other))
})

test.each(OTHER)('%s: "%s" means something else than "%s"', (language, one, other) => {
  expect(compare(language, one, other)).toBe(0)
})

describe('terms', () => {
  test('a question of function words alone keeps them', () => {
    expect(termsOf('What is it?', 'en')).toEqual(['is', 'it', 'what'])
    expect(termsOf('これは？', 'ja')).not.toEqual([])
  })

  test('a text without a word has none', () => {
    for (const text of ['', '???', '🤷 …', '\ud800']) expect(termsOf(text, 'en')).toEqual([])
  })

  test('any text in any language has few terms in a fixed order, and is similar to itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.constantFrom(...LANGUAGES), (text, language) => {
        const terms = termsOf(text, language)
        expect(terms.length).toBeLessThanOrEqual(24)
        expect(terms).toEqual(terms.toSorted())
        if (terms.length > 0) expect(similarity(terms, terms)).toBe(1)
      }),
    )
  })

  test('a very long question costs no more than its beginning', () => {
    expect(termsOf(`filter ${'x'.repeat(3000)} pump`, 'en')).not.toContain('pump')
  })
})

describe('keys', () => {
  test('a misspelt term shares a key with the right one', () => {
    const keys = (word: string) => keysOf('a', 'en', [word]).misspellings
    for (const wrong of ['thermstat', 'termostat', 'thermostta', 'thermostatt']) {
      expect(keys(wrong).filter((key) => keys('thermostat').includes(key))).not.toEqual([])
    }
  })

  test('differ between chatbots and languages, and are exact numbers', () => {
    const { whole, terms } = keysOf('a', 'en', ['filter'])
    expect(Number.isSafeInteger(whole)).toBe(true)
    expect(keysOf('b', 'en', ['filter']).terms).not.toEqual(terms)
    expect(keysOf('a', 'de', ['filter']).terms).not.toEqual(terms)
    expect(keysOf('a', 'en', ['filter']).terms).toEqual(terms)
  })
})
