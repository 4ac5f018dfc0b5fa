import type { Language } from '../../../../../platform/contract/languages.ts'
import { ar } from './ar.ts'
import { da } from './da.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fi } from './fi.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { nl } from './nl.ts'
import { no } from './no.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'
import type { LanguageRules } from './rules.ts'
import { sv } from './sv.ts'

/**
 * The rules of languages that are searched by characters, without stems or function words. Latin words in them are
 * usually English.
 */
const BY_CHARACTERS = en

const RULES: Record<Language, LanguageRules> & Record<string, LanguageRules> = {
  ...{ en, de, fr, nl, sv, es, it, no, pt, pl, da, fi, ar },
  ...{ ja: BY_CHARACTERS, ko: BY_CHARACTERS, zh: BY_CHARACTERS },
}

const BY_LANGUAGE: ReadonlyMap<string, LanguageRules> = new Map([
  ...Object.entries(RULES),
  // The two written forms of Norwegian.
  ['nb', no],
  ['nn', no],
])

const NO_WORDS: ReadonlySet<string> = new Set()
const LATIN_LETTERS_ONLY = /^[a-z]+$/

/** Accepts any language tag: `pt-BR` has the rules of Portuguese. */
const rulesOf = (language: string): LanguageRules | undefined =>
  BY_LANGUAGE.get(language) ?? BY_LANGUAGE.get(language.split('-', 1)[0] ?? '')

/** Returns the stem of a folded word; the word itself if it is short, in another script or of a language without rules. */
export function stem(word: string, language: string): string {
  if (word.length < 3) return word
  const rules = rulesOf(language)
  return rules !== undefined && (rules.letters ?? LATIN_LETTERS_ONLY).test(word) ? rules.stem(word) : word
}

export const isFunctionWord = (word: string, language: string): boolean =>
  (rulesOf(language)?.functionWords ?? NO_WORDS).has(word)

/** Whether the language writes several nouns as one word: Gashahn. */
export const compounds = (language: string): boolean => rulesOf(language)?.isCompounding ?? false

/** Returns a verb with each of the prefixes that verbs of the language may have. */
export const withVerbPrefixes = (verb: string, language: string): string[] =>
  (rulesOf(language)?.verbPrefixes ?? []).flatMap((prefix) => [`${prefix}${verb}`, `${prefix}ge${verb}`])

/** Whether verbs of the language may have this word before them, or at the end of the sentence: "stelle … ein". */
export const isVerbPrefix = (word: string, language: string): boolean =>
  rulesOf(language)?.verbPrefixes?.includes(word) ?? false

/** Returns the function word with two letters swapped: "teh" is "the". Words that short have no other corrections. */
export function misspeltFunctionWord(word: string, language: string): string | undefined {
  if (isFunctionWord(word, language)) return undefined
  for (let at = 1; at < word.length; at++) {
    const swapped = `${word.slice(0, at - 1)}${word.charAt(at)}${word.charAt(at - 1)}${word.slice(at + 1)}`
    if (isFunctionWord(swapped, language)) return swapped
  }
  return undefined
}
