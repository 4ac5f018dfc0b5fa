import { z } from 'zod'
import { explained } from './choice.ts'

/**
 * The languages of the interface. Each needs texts for every page and rules for search; the build fails if one is missing
 * (CONTRIBUTING.md, "Add a language"). What organisations write can be in any language (`ContentLanguage`).
 */
export const LANGUAGES = [
  'en',
  'ja',
  'de',
  'fr',
  'ko',
  'zh',
  'nl',
  'sv',
  'es',
  'it',
  'no',
  'pt',
  'pl',
  'da',
  'fi',
  'ar',
] as const

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

export const Language = z
  .enum(LANGUAGES)
  .meta({ examples: ['en'], ...explained(Object.fromEntries(LANGUAGES.map((tag) => [tag, `${names.of(tag)}.`]))) })
export type Language = z.infer<typeof Language>

/** RFC 5646 asks for room for at least 35 characters. */
const TAG_LENGTH_MAX = 35

/** Language, script, region and variants, in canonical form. Extensions and private parts say nothing about a text. */
const TAG = /^([a-z]{2,3})(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?(?:-(?:[a-z0-9]{5,8}|\d[a-z0-9]{3}))*$/

/** Returns a tag in its canonical form, as in `pt-BR`. Undefined if it is malformed, too long or names no language. */
export function canonicalTag(tag: string): string | undefined {
  if (tag.length > TAG_LENGTH_MAX) return undefined
  try {
    const [canonical = ''] = Intl.getCanonicalLocales(tag)
    const [, language] = TAG.exec(canonical) ?? []
    if (canonical.length > TAG_LENGTH_MAX || language === undefined || language === 'und') return undefined
    // All two-letter codes are known, so that `jp` or `cz` is a mistake. There are too many three-letter codes to know.
    return language.length === 3 || names.of(language) !== undefined ? canonical : undefined
  } catch {
    return undefined
  }
}

/** The language of something that an organisation wrote, as a BCP 47 tag in its canonical form. */
export const ContentLanguage = z
  .string()
  .refine((tag) => canonicalTag(tag) !== undefined, {
    error: `Must be a language tag such as de, pt-BR or zh-Hant, with at most ${TAG_LENGTH_MAX} characters`,
  })
  .overwrite((tag) => canonicalTag(tag) ?? tag)
  .meta({ maxLength: TAG_LENGTH_MAX, description: 'A BCP 47 language tag.', examples: ['en'] })
export type ContentLanguage = z.infer<typeof ContentLanguage>
