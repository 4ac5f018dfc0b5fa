import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '../../../platform/contract/languages.ts'
import { TEXTS } from './texts/index.ts'

/** Every text with its path. */
const textsOf = (value: unknown, path = ''): [string, string][] =>
  typeof value === 'string'
    ? [[path, value]]
    : Object.entries(value as object).flatMap(([name, inner]) => textsOf(inner, `${path}.${name}`))

const english = new Map(textsOf(TEXTS.en))
/** Names of placeholders. Their fallbacks are translated. */
const placeholdersOf = (text = ''): string[] =>
  [...text.matchAll(/\{\{([\w.]+)\|[^{}|]+\}\}/g)].map(([, name]) => name!)

describe.each(LANGUAGES)('in %s', (language) => {
  const texts = textsOf(TEXTS[language])

  test.each(texts)('%s has the placeholders of the English text, and a fallback for each', (path, text) => {
    expect(placeholdersOf(text)).toEqual(placeholdersOf(english.get(path)))
    expect(text.replace(/\{\{[\w.]+\|[^{}|]+\}\}/g, '')).not.toMatch(/[{}|]/)
  })

  test('texts are in the same order, and none is empty, has an exclamation mark or is still in English', () => {
    expect(texts.map(([path]) => path)).toEqual([...english.keys()])
    for (const [path, text] of texts) {
      expect(text).toMatch(/^[^\s!！]([^!！]*[^\s!！])?$/)
      // Spanish and Italian have the same word.
      if (language !== 'en' && path !== '.no') expect(text).not.toBe(english.get(path))
    }
  })
})
