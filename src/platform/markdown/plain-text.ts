/** These do not separate words; every other tag becomes a space. */
const INLINE_TAGS = new Set(
  'a span em strong b i u s del ins small sub sup mark code kbd samp var abbr dfn cite q bdi ruby rt rp'.split(' '),
)

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }

/** The numbers in the text and the ways back: as plain text, they would be parts of words. */
const FOOTNOTE_LINKS = /<sup><a href="#fn-\d+"[^>]*>\d+<\/a><\/sup>|<a href="#fnref-\d+">↩<\/a>/g

/**
 * Returns the text of HTML, with the alt texts of images. Only for output of `sanitise`: there `<` and `>` always
 * belong to a tag, and only the four mandatory characters are written as entities.
 */
export function toPlainText(html: string): string {
  return html
    .replace(FOOTNOTE_LINKS, '')
    .replace(/<\/?([a-z][a-z0-9]*)([^>]*)>/g, (_, tag: string, attributes: string) => {
      if (tag === 'img') return / alt="([^"]*)"/.exec(attributes)?.[1] ?? ''
      return INLINE_TAGS.has(tag) ? '' : ' '
    })
    .replace(/&(amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? '')
    .replace(/\s+/g, ' ')
    .trim()
}
