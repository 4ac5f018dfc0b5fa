/** What browsers know, obsolete elements included. Anything else in angle brackets is a placeholder, such as `<your-host>`. */
const ELEMENTS = new Set([
  ...['a', 'abbr', 'acronym', 'address', 'applet', 'area', 'article', 'aside', 'audio', 'b', 'base', 'basefont', 'bdi'],
  ...['bdo', 'bgsound', 'big', 'blink', 'blockquote', 'body', 'br', 'button', 'canvas', 'caption', 'center', 'cite'],
  ...['code', 'col', 'colgroup', 'data', 'datalist', 'dd', 'del', 'details', 'dfn', 'dialog', 'dir', 'div', 'dl', 'dt'],
  ...[
    'em',
    'embed',
    'fieldset',
    'figcaption',
    'figure',
    'font',
    'footer',
    'form',
    'frame',
    'frameset',
    'h1',
    'h2',
    'h3',
  ],
  ...['h4', 'h5', 'h6', 'head', 'header', 'hgroup', 'hr', 'html', 'i', 'iframe', 'image', 'img', 'input', 'ins'],
  ...['isindex', 'kbd', 'keygen', 'label', 'legend', 'li', 'link', 'listing', 'main', 'map', 'mark', 'marquee', 'math'],
  ...[
    'menu',
    'menuitem',
    'meta',
    'meter',
    'nav',
    'nobr',
    'noembed',
    'noframes',
    'noscript',
    'object',
    'ol',
    'optgroup',
  ],
  ...[
    'option',
    'output',
    'p',
    'param',
    'picture',
    'plaintext',
    'portal',
    'pre',
    'progress',
    'q',
    'rb',
    'rp',
    'rt',
    'rtc',
  ],
  ...[
    'ruby',
    's',
    'samp',
    'script',
    'search',
    'section',
    'select',
    'slot',
    'small',
    'source',
    'span',
    'strike',
    'strong',
  ],
  ...['style', 'sub', 'summary', 'sup', 'svg', 'table', 'tbody', 'td', 'template', 'textarea', 'tfoot', 'th', 'thead'],
  ...['time', 'title', 'tr', 'track', 'tt', 'u', 'ul', 'var', 'video', 'wbr', 'xmp'],
])

const TAG_NAME = /^<(\/?)([a-z][^\s<>/]*)/i

export const isHtmlElement = (name: string): boolean => ELEMENTS.has(name.toLowerCase())

/**
 * Returns a function that tells whether HTML does not know the element of a tag. Call it for all tags of a text in their order:
 * within `<svg>` and `<math>` all names are known, and a `<path>` elsewhere is a placeholder.
 */
export function unknownElements(): (tag: string) => boolean {
  let isForeign = false
  return (tag) => {
    const [, slash, name = ''] = TAG_NAME.exec(tag) ?? []
    if (/^(?:svg|math)$/i.test(name)) isForeign = slash === ''
    return name !== '' && !isForeign && !isHtmlElement(name)
  }
}
