import { expect, test } from 'vitest'
import { compareTexts } from './compare-texts.ts'

const english = {
  title: 'Sent',
  form: { text: 'We got it. Thank you, {name}.', help: 'Call {{product.name|us}}.' },
  files: { one: '{n} file', other: '{n} files' },
}
const german = {
  title: 'Gesendet',
  form: { text: 'Angekommen. Danke, {name}.', help: '{{product.name|Uns}} anrufen.' },
  files: { one: '{n} Datei', other: '{n} Dateien' },
}

test('a complete translation has no problems, and neither has English itself', () => {
  expect(compareTexts('de', german, english)).toEqual([])
  expect(compareTexts('en', english, english)).toEqual([])
})

test('names the keys that are missing, superfluous or at another place', () => {
  const { title, form, files } = german
  expect(compareTexts('de', { title, form: { text: form.text }, files }, english)).toEqual(['form.help is missing'])
  expect(compareTexts('de', { title, files }, english)).toEqual(['form.text is missing', 'form.help is missing'])
  expect(compareTexts('de', { ...german, more: { of: 'Mehr' } }, english)).toEqual(['more.of is not in English'])
  expect(compareTexts('de', { form, title, files }, english)).toEqual(['form.text is at another place than in English'])
})

test.each([
  ['Danke.', 'form.text has no placeholder, but English has {name}'],
  ['Danke, {nmae}.', 'form.text has {nmae}, but English has {name}'],
  ['Danke, {name}, {name}.', 'form.text has {name} and {name}, but English has {name}'],
  ['Danke, {name}, {{product.name|Ding}}.', 'form.text has {name} and {{product.name|…}}, but English has {name}'],
  ['Danke, {name}, {ab cd}.', 'form.text has a malformed placeholder'],
  ['Danke, {name}!', 'form.text has an exclamation mark'],
  ['Danke, {name}. ', 'form.text begins or ends with a space'],
  ['We got it. Thank you, {name}.', 'form.text is still in English'],
])('“%s”: %s', (text, problem) => {
  expect(compareTexts('de', { ...german, form: { ...german.form, text } }, english)).toEqual([problem])
})

test('one or two words can be the same as in English, three cannot', () => {
  const two = { title: 'Chat {name} Website' }
  const three = { title: 'Open the page' }
  expect(compareTexts('de', two, two)).toEqual([])
  expect(compareTexts('de', three, three)).toEqual(['title is still in English'])
})

test('an empty text is a problem', () => {
  expect(compareTexts('de', { ...german, title: '' }, english)).toEqual(['title is empty'])
})

const polish = { one: '{n} plik', few: '{n} pliki', many: '{n} plików', other: '{n} pliku' }

test.each<[string, string | Record<string, string>, string[]]>([
  ['ja', { other: '{n} 件' }, []],
  ['ja', { one: '{n} 件', other: '{n} 件' }, ['files has the plural form “one”, which its language does not use']],
  ['pl', polish, []],
  [
    'pl',
    { one: '{n} plik', other: '{n} pliku' },
    ['files has no plural form “many”', 'files has no plural form “few”'],
  ],
  ['de', { one: 'eine Datei', other: '{n} Dateien' }, []],
  ['de', { one: '{m} Datei', other: '{n} Dateien' }, ['files has {m}, which English does not have']],
  ['de', { one: '{n} Datei', other: 'Dateien' }, ['files has no placeholder, but English has {n}']],
  ['de', '{n} Dateien', ['files needs plural forms']],
  // French has a form of its own for millions, which it may share with other numbers.
  ['fr', { one: '{n} fichier', other: '{n} fichiers' }, []],
  ['fr', { one: '{n} fichier', many: '{n} de fichiers', other: '{n} fichiers' }, []],
])('in %s, the plural forms %j are checked', (language, files, problems) => {
  expect(compareTexts(language, { files }, { files: english.files })).toEqual(problems)
})

test('plural forms of what is one text in English are a problem', () => {
  expect(compareTexts('de', { title: { one: 'a', other: 'b' } }, { title: 'c' })).toEqual([
    'title has plural forms, but English has one text',
  ])
})
