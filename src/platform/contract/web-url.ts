export const URL_LENGTH_MAX = 2048

const PCT = '%[0-9A-Fa-f]{2}'
const USER_OR_NAME = `(?:[\\w.~!$&'()*+,;=-]|${PCT})`
const TEXT = `(?:[\\w.~!$&'()*+,;=:@/?-]|${PCT})*`
/** An absolute address of the web as RFC 3986 writes it, which is what OpenAPI calls a `uri`. */
const URI = new RegExp(
  `^https?://(?:(?:${USER_OR_NAME}|:)*@)?(?:\\[[0-9A-Fa-f:.]+\\]|${USER_OR_NAME}+)(?::\\d*)?` +
    `(?:/${TEXT})?(?:\\?${TEXT})?(?:#${TEXT})?$`,
  'i',
)
/** What browsers leave in an address although RFC 3986 does not allow it there. */
const UNENCODED = /%(?![0-9A-Fa-f]{2})|[^\w.~!$&'()*+,;=:@/?%-]/g

/**
 * Writes an address as a URI, in the way that browsers send it: `https://müller.example/ü` is
 * `https://xn--mller-kva.example/%C3%BC`. A text that is a URI already stays exactly as it is, so that programs get back
 * what they sent. So does one that is no address.
 */
export function toUri(text: string): string {
  if (URI.test(text)) return text
  const href = URL.parse(text)?.href
  if (href === undefined) return text
  const path = href.indexOf('/', href.indexOf('//') + 2)
  const [, before = '', fragment] = /^([^#]*)(?:#(.*))?$/s.exec(href.slice(path)) ?? []
  const encoded = [before, ...(fragment === undefined ? [] : [fragment])].map((part) =>
    part.replace(UNENCODED, encodeURIComponent),
  )
  return href.slice(0, path) + encoded.join('#')
}

const ENCODED_PLACEHOLDER = /%7B%7B(.*?)%7D%7D/gi

/** The same, except for placeholders such as `{{object.name}}`. */
export const toUriTemplate = (text: string): string =>
  text.includes('{{')
    ? toUri(text).replace(ENCODED_PLACEHOLDER, (_, name: string) => `{{${decodeURIComponent(name)}}}`)
    : toUri(text)

/** Whether a browser opens it, and it can be written as a URI. */
export function isWebUrl(text: string): boolean {
  if (text.length > URL_LENGTH_MAX || !/^https?:\/\/[^\s/]/i.test(text) || /\s/.test(text)) return false
  const uri = toUri(text)
  return uri.length <= URL_LENGTH_MAX && URI.test(uri) && URL.canParse(uri)
}

export const isHttpsUrl = (text: string): boolean => /^https:/i.test(text) && isWebUrl(text)
