import { type Html, html } from './html.ts'

/** There are a few in use. */
const KNOWN_MAX = 1000
const directions = new Map<string, 'ltr' | 'rtl'>()

/** The direction in which a language is written, as a BCP 47 tag: `rtl` for `ar`, `ltr` for `ur-Latn`. */
export function directionOf(tag: string): 'ltr' | 'rtl' {
  const known = directions.get(tag)
  if (known !== undefined) return known
  const direction = new Intl.Locale(tag).getTextInfo().direction === 'rtl' ? 'rtl' : 'ltr'
  if (directions.size < KNOWN_MAX) directions.set(tag, direction)
  return direction
}

/** The attributes of the `html` element of a page in this language. */
export const pageLanguage = (tag: string): Html => html`lang="${tag}"${directionOf(tag) === 'rtl' && html` dir="rtl"`}`
