import type { Language } from '../../../../../platform/contract/languages.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { nl } from './nl.ts'
import { no } from './no.ts'
import type { LanguageRules } from './rules.ts'
import { sv } from './sv.ts'

/** For languages that are searched by characters, without stems or function words. Latin words in them are usually English. */
const BY_CHARACTERS = en

const RULES: Record<Language, LanguageRules> = {
  ...{ en, de, fr, nl, sv, es, it, no },
  ...{ ja: BY_CHARACTERS, ko: BY_CHARACTERS, zh: BY_CHARACTERS },
}

/** By any string: texts in the database may have a language that is no longer supported. */
const BY_LANGUAGE: ReadonlyMap<string, LanguageRules> = new Map(Object.entries(RULES))

const LATIN_LETTERS_ONLY = /^[a-z]+$/

/**
 * Returns the stem of a folded word; the word itself if it is short, not in Latin letters or of an unknown language.
 */
export function stem(word: string, language: string): string {
  if (word.length < 3 || !LATIN_LETTERS_ONLY.test(word)) return word
  return BY_LANGUAGE.get(language)?.stem(word) ?? word
}

export const isFunctionWord = (word: string, language: string): boolean =>
  (BY_LANGUAGE.get(language) ?? en).functionWords.has(word)
