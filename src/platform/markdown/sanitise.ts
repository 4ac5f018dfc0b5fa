import sanitizeHtml from 'sanitize-html'

const TAGS = [
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'section', 'blockquote', 'pre', 'hr', 'br', 'figure', 'figcaption'],
  ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'details', 'summary'],
  ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ...['a', 'img', 'span', 'em', 'strong', 'b', 'i', 'u', 's', 'del', 'ins', 'small', 'sub', 'sup', 'mark'],
  ...['code', 'kbd', 'samp', 'var', 'abbr', 'dfn', 'cite', 'q', 'bdi', 'ruby', 'rt', 'rp'],
]

/** Of other tags that are taken away the content stays; the content of these was never meant to be read. */
const TAGS_WITHOUT_WORDS = ['script', 'style', 'textarea', 'option', 'xmp', 'noscript', 'iframe', 'title']

const ANYTHING = /^/
const UP_TO_9999 = /^\d{1,4}$/
const EVERYWHERE: Attributes = { dir: /^(ltr|rtl|auto)$/, lang: /^[a-z]{2,3}(-[a-z0-9]{1,8})*$/i }
const CELL: Attributes = { align: /^(left|center|right)$/, colspan: UP_TO_9999, rowspan: UP_TO_9999 }

type Attributes = Record<string, RegExp>

/** In the order in which they are written; `headings` relies on `href` being the first. */
const ATTRIBUTES = new Map<string, Attributes>([
  ['a', { href: ANYTHING, title: ANYTHING }],
  ['abbr', { title: ANYTHING }],
  ['code', { class: /^language-[\w.+#-]+$/ }],
  ['details', { open: ANYTHING }],
  ['img', { src: ANYTHING, alt: ANYTHING, title: ANYTHING, width: UP_TO_9999, height: UP_TO_9999 }],
  ['ol', { start: /^-?\d{1,9}$/ }],
  ['td', CELL],
  ['th', { ...CELL, scope: /^(row|col|rowgroup|colgroup)$/ }],
])

const LINK_PROTOCOLS = ['https:', 'http:', 'mailto:', 'tel:']

/** Stands for whatever host the text is read on; nothing leads there, because `.invalid` is nobody's. */
const HERE = 'https://here.invalid'

const OPTIONS: sanitizeHtml.IOptions = {
  allowedTags: TAGS,
  nonTextTags: TAGS_WITHOUT_WORDS,
  allowedAttributes: {
    ...Object.fromEntries([...ATTRIBUTES].map(([tag, attributes]) => [tag, Object.keys(attributes)])),
    '*': [...Object.keys(EVERYWHERE), 'rel', 'loading'],
  },
  allowedSchemes: LINK_PROTOCOLS.map((protocol) => protocol.slice(0, -1)),
  allowedSchemesByTag: { img: ['https'] },
  allowProtocolRelative: false,
  // More than Markdown makes of what it takes. Browsers stop at 512, and get slow before.
  nestingLimit: 100,
  transformTags: {
    // An `li` within a `div` within an `li` ends the `div` in a browser. Its end tag would then end one of the page's.
    div: 'section',
    '*': (tagName, attribs) => ({ tagName, attribs: keepAttributes(tagName, attribs) }),
  },
}

/** What is not listed here does not get through, whatever it is. */
export const sanitise = (html: string): string => sanitizeHtml(html, OPTIONS)

function keepAttributes(tag: string, found: sanitizeHtml.Attributes): sanitizeHtml.Attributes {
  const kept: sanitizeHtml.Attributes = {}
  const align = /^text-align:(\w+)$/.exec(found.style ?? '')?.[1]
  const all = align === undefined ? found : { ...found, align }
  for (const attributes of [ATTRIBUTES.get(tag), EVERYWHERE]) {
    for (const name in attributes) {
      const value = all[name]
      if (value !== undefined && attributes[name]?.test(value)) kept[name] = value
    }
  }
  if (tag === 'a') judgeLink(kept)
  if (tag === 'img') kept.loading = 'lazy'
  return kept
}

/** An address is what a browser would take it for, so it is read the way a browser reads it. */
function judgeLink(attributes: sanitizeHtml.Attributes): void {
  if (attributes.href === undefined) return
  const url = URL.parse(attributes.href, HERE)
  if (url === null || !LINK_PROTOCOLS.includes(url.protocol)) delete attributes.href
  else if (url.host !== '' && url.origin !== HERE) attributes.rel = 'noopener nofollow ugc'
}
