/** There are a few in use. */
const KNOWN_MAX = 1000
const names = new Map<string, string>()

/** Returns the name of a language in that language, so that its readers recognise it. */
export function ownName(tag: string): string {
  const known = names.get(tag)
  if (known !== undefined) return known
  const name = new Intl.DisplayNames([tag, 'en'], { type: 'language' }).of(tag) ?? tag
  if (names.size < KNOWN_MAX) names.set(tag, name)
  return name
}
