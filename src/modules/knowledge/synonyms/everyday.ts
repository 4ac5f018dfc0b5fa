import { LANGUAGES } from '../../../platform/contract/languages.ts'
import { readLocale } from '../../../platform/text/load-texts.ts'

/**
 * Reads the groups of words and phrases that people who speak a language use for the same thing, such as "fingerprint" and
 * "Face ID". Accepts any language tag: `de-AT` has the synonyms of German. Undefined if there are none.
 */
export function findEverydaySynonyms(tag: string): string[][] | undefined {
  const [primary = tag] = tag.split('-', 1)
  const language = LANGUAGES.find((known) => known === primary)
  return language && (readLocale(language, 'everyday-synonyms') as string[][] | undefined)
}
