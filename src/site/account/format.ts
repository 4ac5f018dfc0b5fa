import type { Language } from '../../modules/knowledge/languages/index.ts'
import { toMs } from '../../platform/clock/index.ts'

const formatters = new Map<Language, Intl.DateTimeFormat>()

/** In universal time: the page does not know where the reader is. */
export function formatTime(timestamp: string, language: Language): string {
  let formatter = formatters.get(language)
  if (formatter === undefined) {
    const locale = language === 'en' ? 'en-GB' : language
    formatter = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
    formatters.set(language, formatter)
  }
  return `${formatter.format(toMs(timestamp))} UTC`
}
