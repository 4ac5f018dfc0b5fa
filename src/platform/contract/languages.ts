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

/** There are a few in use, and a page can have thousands of texts in them. */
const KNOWN_MAX = 1000
const known = new Map<string, string | undefined>()

/** Returns a tag in its canonical form, as in `pt-BR`. Undefined if it is malformed, too long or names no language. */
export function canonicalTag(tag: string): string | undefined {
  if (tag.length > TAG_LENGTH_MAX) return undefined
  if (known.has(tag)) return known.get(tag)
  if (known.size === KNOWN_MAX) known.clear()
  const canonical = canonicalise(tag)
  known.set(tag, canonical)
  return canonical
}

function canonicalise(tag: string): string | undefined {
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

const TAG_ERROR = `Must be a language tag such as de, pt-BR or zh-Hant, with at most ${TAG_LENGTH_MAX} characters`
const TAG_META = { maxLength: TAG_LENGTH_MAX, description: 'A BCP 47 language tag.', examples: ['en'] }

/** The language of something that an organisation wrote, as a BCP 47 tag in its canonical form. */
export const ContentLanguage = z
  .string()
  .refine((tag) => canonicalTag(tag) !== undefined, { error: TAG_ERROR })
  .overwrite((tag) => canonicalTag(tag) ?? tag)
  .meta(TAG_META)
export type ContentLanguage = z.infer<typeof ContentLanguage>

/** The tag of something that suits readers of any language. */
export const UNDETERMINED = 'und'

const canonicalOrUndetermined = (tag: string) => (tag.toLowerCase() === UNDETERMINED ? UNDETERMINED : canonicalTag(tag))

/** The same for something that need not be in a language. */
export const ContentLanguageOrUndetermined = z
  .string()
  .refine((tag) => canonicalOrUndetermined(tag) !== undefined, { error: TAG_ERROR })
  .overwrite((tag) => canonicalOrUndetermined(tag) ?? tag)
  .meta(TAG_META)

export const LANGUAGES_MAX = 50

/** An object with one entry per language. */
export const byLanguage = <Entry extends z.ZodType>(entry: Entry) =>
  z
    .record(z.string().meta(TAG_META), entry)
    .superRefine(
      (entries, context) => {
        const known = new Set(context.issues.map(({ path = [] }) => path[0]))
        for (const { path, message } of findWrongTags(Object.keys(entries))) {
          if (!known.has(path[0])) context.addIssue({ code: 'custom', path, message })
        }
      },
      // The check also runs if another entry has a problem, but not if there are no entries.
      { when: ({ issues }) => issues.every(({ path = [] }) => path.length > 0) },
    )
    .overwrite((entries) =>
      Object.fromEntries(Object.entries(entries).map(([tag, sent]) => [canonicalTag(tag) ?? tag, sent])),
    )

/** If a language had two spellings, such as `he` and `iw`, one entry would be lost. */
function findWrongTags(tags: readonly string[]): { path: string[]; message: string }[] {
  // First: to look at tens of thousands of tags takes half a second.
  if (tags.length > LANGUAGES_MAX) return [{ path: [], message: `Must have at most ${LANGUAGES_MAX} languages` }]
  const spellings = new Map<string, string>()
  return tags.flatMap((tag) => {
    const canonical = canonicalTag(tag)
    if (canonical === undefined) return [{ path: [tag], message: TAG_ERROR }]
    const other = spellings.get(canonical)
    if (other !== undefined) return [{ path: [tag], message: `Is the same language as ${other}` }]
    spellings.set(canonical, tag)
    return []
  })
}
