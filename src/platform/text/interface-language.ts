import { LANGUAGES, type Language } from '../contract/languages.ts'
import { nearestOf } from './negotiate-language.ts'

/** There are a few in use, and search asks for every word of a text. */
const KNOWN_MAX = 1000
const known = new Map<string, Language | undefined>(LANGUAGES.map((language) => [language, language]))

/** The language of the interface for readers of a language: `de` for `de-AT`. Undefined if there is none. */
export function interfaceLanguageFor(tag: string): Language | undefined {
  if (known.has(tag)) return known.get(tag)
  const language = nearestOf(tag, LANGUAGES)
  if (known.size < KNOWN_MAX) known.set(tag, language)
  return language
}
