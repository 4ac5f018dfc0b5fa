/** Nobody reads more languages than this; whoever sends more only wants us to work. */
const RANGES_MAX = 20

/** A language range and its weight (RFC 9110, 12.4.2 and 12.5.4). The bounds keep a long range cheap to refuse. */
const RANGE = /^(\*|[a-z]{1,8}(?:-[a-z0-9]{1,8}){0,7})(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/

/** Browsers name the written form of Norwegian; texts are kept under the language. */
const WIDER = new Map([
  ['nb', 'no'],
  ['nn', 'no'],
])

interface Range {
  tag: string
  weight: number
}

/**
 * The language to answer in: the look-up of RFC 4647 (3.4), most wanted first, in the order sent among equals.
 * Where nothing fits, the fallback is given even to somebody who refuses it, because something has to be shown.
 */
export function negotiate<Language extends string>(
  acceptLanguage: string | undefined,
  available: readonly Language[],
  fallback: Language,
): Language {
  const ranges = parseRanges(acceptLanguage ?? '')
  const refused = ranges.filter(({ weight }) => weight === 0)
  const offered = without(available, refused)
  const wanted = ranges.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight)
  for (const { tag } of wanted) {
    const found = tag === '*' ? anyOf(without(offered, ranges), fallback) : lookUp(tag, offered)
    if (found !== undefined) return found
  }
  return fallback
}

function parseRanges(header: string): Range[] {
  return header.split(',', RANGES_MAX).flatMap((part) => {
    const [, tag, weight = '1'] = RANGE.exec(part.trim().toLowerCase()) ?? []
    return tag === undefined ? [] : [{ tag, weight: Number(weight) }]
  })
}

/** The languages that no range speaks of. A range speaks of regional forms too: `de` of de-AT, but not the reverse. */
const without = <Language extends string>(languages: readonly Language[], ranges: readonly Range[]): Language[] =>
  languages.filter((language) => !ranges.some(({ tag }) => `${language}-`.toLowerCase().startsWith(`${tag}-`)))

const anyOf = <Language extends string>(languages: readonly Language[], first: Language): Language | undefined =>
  languages.includes(first) ? first : languages[0]

/** Tries the range as it was sent, then with one part less from the end at a time: de-at-1996, de-at, de. */
function lookUp<Language extends string>(range: string, offered: readonly Language[]): Language | undefined {
  const parts = range.split('-')
  for (let count = parts.length; count > 0; count--) {
    const tag = parts.slice(0, count).join('-')
    const named = (name: string | undefined) => offered.find((language) => language.toLowerCase() === name)
    const found = named(tag) ?? named(WIDER.get(tag))
    if (found !== undefined) return found
  }
  return undefined
}
