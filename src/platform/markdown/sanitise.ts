import sanitizeHtml from 'sanitize-html'
import { CALLOUTS } from './callouts.ts'

const TAGS = [
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'section', 'blockquote', 'pre', 'hr', 'br', 'figure', 'figcaption'],
  ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'details', 'summary'],
  ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ...['a', 'img', 'span', 'em', 'strong', 'b', 'i', 'u', 's', 'del', 'ins', 'small', 'sub', 'sup', 'mark'],
  ...['code', 'kbd', 'samp', 'var', 'abbr', 'dfn', 'cite', 'q', 'bdi', 'ruby', 'rt', 'rp'],
]

/** Other tags that are not allowed are removed but keep their content. The content of these is not meant to be read. */
const TAGS_DROPPED_WITH_CONTENT = ['script', 'style', 'textarea', 'option', 'xmp', 'noscript', 'iframe', 'title']

const ANYTHING = /^/
const UP_TO_9999 = /^\d{1,4}$/
const ON_EVERY_TAG: Attributes = { dir: /^(ltr|rtl|auto)$/, lang: /^[a-z]{2,3}(-[a-z0-9]{1,8})*$/i }
const CELL: Attributes = { align: /^(left|center|right)$/, colspan: UP_TO_9999, rowspan: UP_TO_9999 }

type Attributes = Record<string, RegExp>

/** Attributes are in output order: `headings.ts` relies on `href` being the first attribute of a link. */
const ATTRIBUTES = new Map<string, Attributes>([
  ['a', { href: ANYTHING, title: ANYTHING, id: /^[^\s"'<>&]{1,200}$/ }],
  ['abbr', { title: ANYTHING }],
  ['blockquote', { class: new RegExp(`^callout (${CALLOUTS.join('|')})$`) }],
  ['code', { class: /^language-[\w.+#-]+$/ }],
  ['details', { open: ANYTHING }],
  ['img', { src: ANYTHING, alt: ANYTHING, title: ANYTHING, width: UP_TO_9999, height: UP_TO_9999 }],
  ['li', { class: /^task$/ }],
  ['ol', { start: /^-?\d{1,9}$/, class: /^footnotes$/ }],
  ['td', CELL],
  ['th', { ...CELL, scope: /^(row|col|rowgroup|colgroup)$/ }],
])

const LINK_PROTOCOLS = ['https:', 'http:', 'mailto:', 'tel:']

/** Keeps an id of the text from colliding with the id of a page element that scripts look up. */
export const ID_PREFIX = 'h-'

/** Placeholder for the host that shows the text. `.invalid` never resolves (RFC 2606). */
const OWN_ORIGIN = 'https://here.invalid'

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: TAGS,
  nonTextTags: TAGS_DROPPED_WITH_CONTENT,
  allowedAttributes: {
    ...Object.fromEntries([...ATTRIBUTES].map(([tag, attributes]) => [tag, Object.keys(attributes)])),
    '*': [...Object.keys(ON_EVERY_TAG), 'rel', 'loading'],
  },
  allowedSchemes: LINK_PROTOCOLS.map((protocol) => protocol.slice(0, -1)),
  allowedSchemesByTag: { img: ['https'] },
  allowProtocolRelative: false,
  // More than Markdown within the nesting limit of the parser produces. Browsers stop at 512 and get slow before that.
  nestingLimit: 100,
  transformTags: {
    // Browsers close a `div` inside an `li` at a nested `<li>`. Its `</div>` would then close one of the page's.
    div: 'section',
    '*': (tagName, attribs) => ({ tagName, attribs: keepAttributes(tagName, attribs) }),
  },
}

/** Removes every tag and attribute that is not listed above. */
export const sanitise = (html: string): string => sanitizeHtml(html, OPTIONS)

function keepAttributes(tag: string, found: sanitizeHtml.Attributes): sanitizeHtml.Attributes {
  const kept: sanitizeHtml.Attributes = {}
  const align = /^text-align:(\w+)$/.exec(found.style ?? '')?.[1]
  const all: sanitizeHtml.Attributes = align === undefined ? { ...found } : { ...found, align }
  // The old way to name a place in a text.
  if (tag === 'a' && all.id === undefined && all.name !== undefined) all.id = all.name
  for (const attributes of [ATTRIBUTES.get(tag), ON_EVERY_TAG]) {
    for (const name in attributes) {
      const value = all[name]
      if (value !== undefined && attributes[name]?.test(value)) kept[name] = value
    }
  }
  if (kept.id !== undefined) kept.id = `${ID_PREFIX}${kept.id}`
  if (tag === 'a') checkLink(kept)
  if (tag === 'img') kept.loading = 'lazy'
  return kept
}

/** Uses the URL parser of browsers, so that we judge the URL that a browser would open. */
function checkLink(attributes: sanitizeHtml.Attributes): void {
  if (attributes.href === undefined) return
  const url = URL.parse(attributes.href, OWN_ORIGIN)
  if (url === null || !LINK_PROTOCOLS.includes(url.protocol)) delete attributes.href
  else if (url.host !== '' && url.origin !== OWN_ORIGIN) attributes.rel = 'noopener nofollow ugc'
}
