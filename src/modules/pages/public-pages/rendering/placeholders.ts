import { html } from '../../../../platform/text/html.ts'

export type Facts = ReadonlyMap<string, string>

/** `{{object.name}}`, or `{{object.name|this machine}}` with a fallback. */
const PLACEHOLDER = /\{\{([^{}|<>]{1,150})(?:\|([^{}<>]{0,500}))?\}\}/g
/** The same in an address that Markdown has encoded. */
const ENCODED = /%7B%7B([\w.%-]{1,150}?)(?:%7C([^"'\s<>{}]{0,500}?))?%7D%7D/g

/** The facts that a text names. */
export const factsIn = (text: string): string[] => [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name.trim())

/** Fills a text. Unknown placeholders are left out. */
export const fillText = (text: string, facts: Facts): string =>
  text.replace(PLACEHOLDER, (_, name: string, fallback = '') => facts.get(name.trim()) ?? fallback.trim())

/** Fills an address: a value cannot change its host or add a parameter. */
export const fillUrl = (url: string, facts: Facts): string =>
  fillEncoded(url, facts).replace(PLACEHOLDER, (_, name: string, fallback = '') =>
    encodeURIComponent((facts.get(name.trim()) ?? fallback.trim()).toWellFormed()),
  )

/** Fills sanitised HTML: values are escaped, also for the quoted attributes that they may be in. */
export const fillHtml = (safe: string, facts: Facts): string =>
  fillEncoded(safe, facts).replace(PLACEHOLDER, (_, name: string, fallback = '') => {
    const value = facts.get(name.trim())
    return value === undefined ? fallback.trim() : html`${value}`.toString()
  })

/** Everything is encoded, so that it is safe in a text, too. */
const fillEncoded = (text: string, facts: Facts): string =>
  text.replace(ENCODED, (_, name: string, fallback = '') => {
    const value = facts.get(decoded(name).trim())
    return value === undefined ? fallback : encodeURIComponent(value.toWellFormed()).replaceAll("'", '%27')
  })

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
