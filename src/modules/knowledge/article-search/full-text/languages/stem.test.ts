import { expect, test } from 'vitest'
import { stem } from './index.ts'

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
  ['pt', 'impressora impressoras'],
  ['pt', 'instalar instalacao instalacoes'],
  ['pt-BR', 'imagem imagens'],
  ['pl', 'drukarka drukarki drukarek drukarkami'],
  ['pl', 'ustawienia ustawienie'],
  ['da', 'printer printeren printere printerne'],
  ['da', 'rense renser renset'],
  ['fi', 'talo talossa talosta talot'],
  ['fi', 'laite laitteen laitteessa laitteet'],
  ['ar', 'طابعة الطابعة والطابعة طابعات'],
  ['ar', 'مُطَبَّع مطبع'],
])('%s: these words have the same stem: %s', (language, words) => {
  expect(new Set(words.split(' ').map((word) => stem(word, language))).size).toBe(1)
})

test.each([
  ['en', 'news', 'new'],
  ['de', 'bauer', 'bar'],
  ['fr', 'eaux', 'eal'],
])('%s: %s and %s have different stems', (language, one, other) => {
  expect(stem(one, language)).not.toBe(stem(other, language))
})

test('Latin words in a Japanese text use English stems, and an unknown language has none', () => {
  expect(stem('settings', 'ja')).toBe(stem('setting', 'en'))
  expect(stem('settings', 'cy')).toBe('settings')
})

test('treats names of object members as normal words', () => {
  expect(stem('constructor', 'en')).toBe('constructor')
})
