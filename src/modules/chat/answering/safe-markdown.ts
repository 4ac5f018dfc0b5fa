import { unknownElements } from '../../../platform/markdown/html-elements.ts'
import { findVerbatim } from '../../../platform/markdown/verbatim/find-verbatim.ts'
import { shield, unshield } from '../../../platform/markdown/verbatim/shield.ts'

// What begins another link ends an address, except the brackets of `?ids[]=1`. Otherwise, many beginnings would take long.
const IMAGE = /!\[([^[\]\n]*)\]\((?:[^)\n[]|\[\d*\](?!\())*\)/g
const LINK = /\[([^[\]\n]*)\]\(<?((?:[^)\s>[]|\[\d*\](?!\())*)>?(?:[ \t]+[^)\n[]*)?\)/g
const ABSOLUTE = /^(?:https?:\/\/|mailto:|tel:)/i
/** An escaped bracket begins no tag. */
const TAG = /\\[\s\S]|<\/?[a-z][^<>]*>/gi
const NAME = /^<\/?[a-z][^\s<>/]*/i
/** `<https://acme.com>` and `<help@acme.com>` are links. */
const AUTOLINK = /^<(?:(?:https?:\/\/|mailto:|tel:)\S+|[^\s@]+@[^\s@]+)>$/i
/** What Markdown takes for the rest of a tag if it has no values: `<b && c>` is none. */
const ATTRIBUTE_NAMES = /^(?:\s+[a-z_][\w:.-]*)*\s*\/?$/i
const LEADING_LINES = /^(?:[^\S\n]*\n)+/

/**
 * Reduces the Markdown of a passage to what answers may contain. Images become their description, links without a host become
 * text: they are relative to the article, not to the place where the answer is shown. HTML is removed; an element
 * that it does not know, such as `<your-host>`, is escaped, so that it is shown. Code and formulas stay as they are.
 */
export function toSafeMarkdown(markdown: string): string {
  const text = closeFence(markdown.trimEnd().replace(LEADING_LINES, ''))
  const shielded = withoutComments(shield(text))
  const isUnknown = unknownElements()
  const safe = shielded
    .replace(IMAGE, '$1')
    .replace(LINK, (all, label: string, address: string) => (ABSOLUTE.test(address) ? all : label))
    .replace(TAG, (tag) => {
      if (tag.startsWith('\\') || AUTOLINK.test(tag)) return tag
      return isUnknown(tag) || !isMarkup(tag) ? `\\${tag}` : ''
    })
  return unshield(safe).trimEnd().replace(LEADING_LINES, '')
}

/** `a<b && c>` is a comparison. */
function isMarkup(tag: string): boolean {
  const rest = tag.slice(NAME.exec(tag)?.[0].length, -1)
  return /[=/]/.test(rest) || ATTRIBUTE_NAMES.test(rest)
}

function withoutComments(text: string): string {
  let kept = ''
  let at = 0
  for (;;) {
    const from = text.indexOf('<!--', at)
    const end = from === -1 ? -1 : text.indexOf('-->', from)
    if (end === -1) return kept + text.slice(at)
    kept += text.slice(at, from)
    at = end + '-->'.length
  }
}

/** Otherwise, what follows the passage would be code, too. */
function closeFence(markdown: string): string {
  const missingEnd = findVerbatim(markdown).at(-1)?.missingEnd
  return missingEnd === undefined ? markdown : `${markdown}\n${missingEnd}`
}

/** Escapes text, so that it is shown as it is. */
export const toMarkdownText = (text: string): string =>
  text.replace(/[\\`*_{}[\]<>()#|~!]/g, '\\$&').replace(/\s+/g, ' ')
