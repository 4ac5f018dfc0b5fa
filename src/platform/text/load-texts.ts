import { existsSync, readFileSync } from 'node:fs'
import { LANGUAGES, type Language } from '../contract/languages.ts'
import type { PluralForms } from './plural.ts'

/** The texts of a surface in any language: the keys of English, with the plural forms of the language. */
export type TextsOf<English> = English extends string
  ? string
  : English extends { other: string }
    ? PluralForms
    : { readonly [Key in keyof English]: TextsOf<English[Key]> }

const LOCALES = new URL('../../../locales/', import.meta.url)

/** Returns what `locales/<language>/<name>.json` contains; undefined if there is no such file. */
export function readLocale(language: Language, name: string): unknown {
  const file = new URL(`${language}/${name}.json`, LOCALES)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

/**
 * Returns the texts of a surface by language, with the English text where a translation is missing. Every language is read
 * when it is first used, and only then.
 */
export function loadTexts<English extends object>(
  surface: string,
  english: English,
): Readonly<Record<Language, TextsOf<English>>> {
  const byLanguage = {} as Record<Language, TextsOf<English>>
  for (const language of LANGUAGES) {
    let texts: TextsOf<English> | undefined
    const get = () => {
      texts ??= withEnglish(readLocale(language, surface), english) as TextsOf<English>
      return texts
    }
    Object.defineProperty(byLanguage, language, { enumerable: true, get })
  }
  return byLanguage
}

/** Plural forms are replaced as a whole, because languages have different ones. */
function withEnglish(translated: unknown, english: unknown): unknown {
  if (translated === undefined) return english
  if (typeof english !== 'object' || english === null || Object.hasOwn(english, 'other')) return translated
  return Object.fromEntries(
    Object.entries(english).map(([key, text]) => [
      key,
      withEnglish((translated as Record<string, unknown>)[key], text),
    ]),
  )
}
