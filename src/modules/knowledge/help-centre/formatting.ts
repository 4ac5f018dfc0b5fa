import { toMs } from '../../../platform/clock/index.ts'
import type { Language } from '../../../platform/contract/languages.ts'

export const formatNumber = (n: number, language: Language): string => formatsOf(language).numbers.format(n)

/** Formats the day only, in UTC, because the reader's time zone is unknown. */
export const formatDate = (moment: string, language: Language): string => formatsOf(language).dates.format(toMs(moment))

/** Returns the name of one language in another. */
export const languageName = (named: string, language: Language): string =>
  formatsOf(language).languages.of(named) ?? named

interface Formats {
  numbers: Intl.NumberFormat
  dates: Intl.DateTimeFormat
  languages: Intl.DisplayNames
}

/** Cached because creating them takes longer than rendering a page. */
const cache = new Map<Language, Formats>()

function formatsOf(language: Language): Formats {
  const cached = cache.get(language)
  if (cached !== undefined) return cached
  const formats = {
    numbers: new Intl.NumberFormat(language),
    // British, like the spelling: 15 November 2026.
    dates: new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { dateStyle: 'long', timeZone: 'UTC' }),
    languages: new Intl.DisplayNames(language, { type: 'language' }),
  }
  cache.set(language, formats)
  return formats
}
