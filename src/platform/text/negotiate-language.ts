import { ByteCache, copyOf } from '../bounded/byte-cache.ts'

/** More than any reader speaks. The rest of a longer header is ignored, so that it costs no work. */
const RANGES_MAX = 20

/** A language range and its weight (RFC 9110, 12.4.2 and 12.5.4). The bounds make a long range cheap to reject. */
const RANGE = /^(\*|[a-z]{1,8}(?:-[a-z0-9]{1,8}){0,7})(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/

/** Browsers send the written form of Norwegian; texts are stored under the language. */
const MACROLANGUAGES = new Map([
  ['nb', 'no'],
  ['nn', 'no'],
])

interface Range {
  tag: string
  weight: number
}

/** Longer than the header of a browser. */
const CACHED_LENGTH_MAX = 200
/** Choices by header and languages. There are some hundred in use, and each takes longer than sending a cached page. */
const choices = new ByteCache<{ language: string }>(512 * 1024, () => 0)

/**
 * Picks the language of a response with the lookup of RFC 4647 (3.4): highest weight first, then in the order sent.
 * Returns the fallback when nothing matches, even if the header excludes it, because something has to be shown.
 */
export function negotiate<Language extends string>(
  acceptLanguage: string | undefined,
  available: readonly Language[],
  fallback: Language,
): Language {
  if (acceptLanguage === undefined) return fallback
  if (acceptLanguage.length > CACHED_LENGTH_MAX) return choose(acceptLanguage, available, fallback)
  const key = `${acceptLanguage} ${available} ${fallback}`
  const known = choices.get(key)
  if (known !== undefined) return known.language as Language
  const language = choose(acceptLanguage, available, fallback)
  choices.set(key, { language })
  return language
}

function choose<Language extends string>(
  acceptLanguage: string,
  available: readonly Language[],
  fallback: Language,
): Language {
  const ranges = parseRanges(acceptLanguage)
  const refused = ranges.filter(({ weight }) => weight === 0)
  const offered = without(available, refused)
  const wanted = ranges.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight)
  for (const { tag } of wanted) {
    const found = tag === '*' ? pickAny(without(offered, ranges), fallback) : lookUp(tag, offered)
    if (found !== undefined) return found
  }
  return fallback
}

export interface PreferredLanguage {
  /** As sent, in lower case. */
  tag: string
  /** Every tag that stands for it, in lower case: for zh-TW also zh, zh-Hant and zh-Hant-TW. */
  names: ReadonlySet<string>
}

const NONE = { preferred: undefined }
const preferences = new ByteCache<{ preferred: PreferredLanguage | undefined }>(512 * 1024, ({ preferred }) =>
  preferred === undefined ? 0 : 200 + 60 * preferred.names.size,
)

/** Returns the language that a browser prefers to all others. Undefined if the header names none. */
export function preferredLanguage(acceptLanguage: string): PreferredLanguage | undefined {
  const known = preferences.get(acceptLanguage)
  if (known !== undefined) return known.preferred
  const preferred = findPreferred(acceptLanguage)
  if (acceptLanguage.length <= CACHED_LENGTH_MAX) preferences.set(acceptLanguage, preferred ? { preferred } : NONE)
  return preferred
}

function findPreferred(acceptLanguage: string): PreferredLanguage | undefined {
  const named = parseRanges(acceptLanguage).filter(({ tag, weight }) => tag !== '*' && weight > 0)
  const [first] = named.sort((a, b) => b.weight - a.weight)
  if (first === undefined) return undefined
  // Copied, because a part of the header would keep all of it in memory.
  const tag = copyOf(first.tag)
  const [canonical, maximal] = localesOf(tag)
  const names = new Set([tag, canonical, maximal].flatMap(withoutEnds))
  for (const name of [...names]) names.add(MACROLANGUAGES.get(name) ?? name)
  return { tag, names }
}

/** The canonical form of a tag, and the one with its script: for iw-IL, he-il and he-hebr-il. */
function localesOf(tag: string): [string, string] {
  try {
    const locale = new Intl.Locale(tag)
    return [locale.baseName.toLowerCase(), locale.maximize().baseName.toLowerCase()]
  } catch {
    // A range of a header need not be a tag.
    return [tag, tag]
  }
}

/** The tag, and what remains of it after each part that is dropped from its end: de-at-1996, de-at, de. */
function withoutEnds(tag: string): string[] {
  const parts = tag.split('-')
  return parts.map((_, count) => parts.slice(0, parts.length - count).join('-'))
}

function parseRanges(header: string): Range[] {
  return header.split(',', RANGES_MAX).flatMap((part) => {
    const [, tag, weight = '1'] = RANGE.exec(part.trim().toLowerCase()) ?? []
    return tag === undefined ? [] : [{ tag, weight: Number(weight) }]
  })
}

/** The languages that no range covers. `de` also covers de-AT, but not the reverse. */
const without = <Language extends string>(languages: readonly Language[], ranges: readonly Range[]): Language[] =>
  languages.filter((language) => !ranges.some(({ tag }) => `${language}-`.toLowerCase().startsWith(`${tag}-`)))

const pickAny = <Language extends string>(languages: readonly Language[], first: Language): Language | undefined =>
  languages.includes(first) ? first : languages[0]

/** Returns the language that a reader of this one understands best: itself, or the one without region or script. */
export const nearestOf = <Language extends string>(tag: string, offered: readonly Language[]): Language | undefined =>
  lookUp(tag.toLowerCase(), offered)

/**
 * Tries the whole range, then drops one part from the end at a time: de-at-1996, de-at, de. If there is none of them, a reader
 * of pt understands pt-BR, too.
 */
function lookUp<Language extends string>(range: string, offered: readonly Language[]): Language | undefined {
  for (const tag of withoutEnds(range)) {
    const named = (name: string | undefined) => offered.find((language) => language.toLowerCase() === name)
    const found = named(tag) ?? named(MACROLANGUAGES.get(tag))
    if (found !== undefined) return found
  }
  return findRelative(range, offered)
}

/** The same language elsewhere, in the same script: zh-Hant for zh-TW, but not zh-Hans. */
function findRelative<Language extends string>(range: string, offered: readonly Language[]): Language | undefined {
  const isSame = (tag: string) => tag.split('-', 1)[0] === range.split('-', 1)[0]
  const related = offered.filter((language) => isSame(language.toLowerCase()))
  const script = related.length === 0 ? undefined : scriptOf(range)
  return related.find((language) => scriptOf(language) === script)
}

function scriptOf(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag).maximize().script
  } catch {
    // A range of a header need not be a tag.
    return undefined
  }
}
