import { expect, test } from 'vitest'
import { LANGUAGES } from '../../../platform/contract/languages.ts'
import { TEXTS } from './texts.ts'

/** Every text with its path. */
const textsOf = (value: unknown, path = ''): [string, string][] =>
  typeof value === 'string'
    ? [[path, value]]
    : Object.entries(value as object).flatMap(([name, inner]) => textsOf(inner, `${path}.${name}`))

const english = new Map(textsOf(TEXTS.en))

test.each(LANGUAGES.filter((language) => language !== 'en'))('in %s, no text is still in English', (language) => {
  for (const [path, text] of textsOf(TEXTS[language])) {
    // Spanish and Italian have the same word.
    if (path !== '.no') expect(text).not.toBe(english.get(path))
  }
})
