import type { Language } from '../../modules/knowledge/languages/index.ts'
import { toMs } from '../../platform/clock/index.ts'
import type { Forms } from './texts/index.ts'

/** Puts values where their names stand in braces. */
export const fill = (text: string, values: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place)

/** The form that goes with a number, without the number being filled in. */
export const formFor = ([one, other]: Forms, n: number, language: Language): string =>
  toolsOf(language).plurals.select(n) === 'one' ? one : other

export const writeNumber = (n: number, language: Language): string => toolsOf(language).numbers.format(n)

/** A day, not a time: the reader may be anywhere. */
export const writeDate = (moment: string, language: Language): string => toolsOf(language).dates.format(toMs(moment))

/** What one language is called in another. */
export const nameLanguage = (named: string, language: Language): string =>
  toolsOf(language).languages.of(named) ?? named

interface Tools {
  plurals: Intl.PluralRules
  numbers: Intl.NumberFormat
  dates: Intl.DateTimeFormat
  languages: Intl.DisplayNames
}

/** Making one of these takes longer than a whole page does. */
const tools = new Map<Language, Tools>()

function toolsOf(language: Language): Tools {
  const kept = tools.get(language)
  if (kept !== undefined) return kept
  const made = {
    plurals: new Intl.PluralRules(language),
    numbers: new Intl.NumberFormat(language),
    dates: new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }),
    languages: new Intl.DisplayNames(language, { type: 'language' }),
  }
  tools.set(language, made)
  return made
}
