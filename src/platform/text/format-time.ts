import { toMs } from '../clock/index.ts'

const formatters = new Map<string, Intl.DateTimeFormat>()

/** Formats a time for people, in universal time: we do not know where the reader is. */
export function formatTime(timestamp: string, language: string): string {
  let formatter = formatters.get(language)
  if (formatter === undefined) {
    const locale = language === 'en' ? 'en-GB' : language
    formatter = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
    formatters.set(language, formatter)
  }
  return `${formatter.format(toMs(timestamp))} UTC`
}
