import { expect, test } from 'vitest'
import { stem } from './stem.ts'

/** All of a line have one stem. */
test.each([
  ['en', 'print prints printed printing'],
  ['en', 'connection connections connecting connected connects'],
  ['en', 'battery batteries'],
  ['en', 'organize organizer organizing organization'],
  ['en', 'add adding added adds'],
  ['en', 'stop stopped stopping'],
  ['de', 'drucker drucken druckers'],
  ['de', 'haus hauser hauses hausern'],
  ['de', 'schlussel schluessel schlussels'],
  ['fr', 'journal journaux'],
  ['fr', 'imprimante imprimantes'],
  ['fr', 'installer installation installations'],
  ['nl', 'boom bomen'],
  ['nl', 'brief brieven'],
  ['nl', 'man mannen'],
  ['sv', 'skrivare skrivaren skrivarna'],
  ['no', 'skriver skriveren skriverne'],
  ['es', 'impresora impresoras'],
  ['es', 'instalar instalacion instalaciones'],
  ['it', 'stampante stampanti'],
  ['it', 'banca banche'],
])('%s: %s', (language, words) => {
  expect(new Set(words.split(' ').map((word) => stem(word, language))).size).toBe(1)
})

test.each([
  ['en', 'news', 'new'],
  ['de', 'bauer', 'bar'],
  ['fr', 'eaux', 'eal'],
])('%s: %s is not %s', (language, one, other) => {
  expect(stem(one, language)).not.toBe(stem(other, language))
})

test('Latin words in a text of another script follow English; a language without rules changes nothing', () => {
  expect(stem('settings', 'ja')).toBe(stem('setting', 'en'))
  expect(stem('settings', 'pt')).toBe('settings')
})

test('names of things that every object has are words like others', () => {
  expect(stem('constructor', 'en')).toBe('constructor')
})
