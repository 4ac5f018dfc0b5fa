import { isHtmlElement } from '../../../../platform/markdown/html-elements.ts'

/** A link or an image that is complete in itself. */
const LINK =
  /(!?)\[([^[\]]{0,500})\]\(\s{0,4}<?([^()<>\s]{0,2000})>?(?:\s{1,4}(?:"[^"]{0,500}"|'[^']{0,500}'))?\s{0,4}\)/g
const ADDRESS = /(?:[a-z][a-z0-9+.-]{0,20}:\/\/|www\.)[^\s<>()[\]"'`|*\ufdd0-\ufdef]*/gi
const TAG = /<[/!?a-z][^>]*>?/gi
/** Names something that the reader fills in: `<your-host>`. */
const PLACEHOLDER = /^<([a-z][\w-]{0,60})(?: [\w-]{1,60}){0,5}>$/i
/** Stands in for the bracket of a placeholder. It is invisible, so that a model cannot write it. */
const BRACKET = '\u2060'
/** Every escaped character, so that a bracket is escaped once. */
const BRACKETS = /\\?\u2060|\\[\s\S]/g
const ENTITY = /&(?=#?\w{1,40};)/g
const ESCAPED_ADDRESS = /\\(?=[:/])/g
const DEFINITION = /^([ \t>]*\[[^\]]*\]):/gm
/** Would change the text for readers without being seen. */
const INVISIBLE = /[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu

/**
 * Removes everything from Markdown that could lead a reader elsewhere or load something: addresses, HTML and images. Links to
 * these addresses stay; of others, only their text does. A placeholder is escaped, so that it is shown.
 */
export function toHarmlessMarkdown(markdown: string, allowed: ReadonlySet<string>): string {
  const text = markdown.replaceAll(INVISIBLE, (character) => (/[\n\t]/.test(character) ? character : ''))
  let safe = ''
  let at = 0
  for (const { 0: link, 1: bang, 2: label = '', 3: address = '', index } of text.matchAll(LINK)) {
    safe += neutralise(text.slice(at, index), allowed)
    at = index + link.length
    if (bang === '!') continue
    safe += allowed.has(address) ? `[${neutralise(label, allowed)}](${address})` : neutralise(label, allowed)
  }
  safe += neutralise(text.slice(at), allowed)
  return safe.replaceAll(BRACKETS, (found) => (found.endsWith(BRACKET) ? '\\<' : found))
}

/** The name of an HTML element is no placeholder. */
export const isPlaceholder = (tag: string): boolean => {
  const name = PLACEHOLDER.exec(tag)?.[1]
  return name !== undefined && !isHtmlElement(name)
}

/** Breaks every beginning of a link, so that it does not matter how it goes on. */
const neutralise = (text: string, allowed: ReadonlySet<string>): string =>
  text
    .replaceAll(ENTITY, '')
    .replaceAll(ESCAPED_ADDRESS, '')
    .replaceAll(TAG, (tag) => (isPlaceholder(tag) ? `${BRACKET}${tag.slice(1)}` : ''))
    .replaceAll(ADDRESS, (address) =>
      allowed.has(address.replace(/[.,;:!?]+$/, '')) ? address.replace('://', ':\0//') : '',
    )
    .replaceAll('://', ': //')
    .replaceAll(':\0//', '://')
    .replaceAll('](', '] (')
    .replaceAll('![', '[')
    .replaceAll(DEFINITION, '$1 :')
