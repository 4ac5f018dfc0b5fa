/** These stand within a line; every other tag stands between what is before and what is after it. */
const WITHIN_A_LINE = new Set(
  'a span em strong b i u s del ins small sub sup mark code kbd samp var abbr dfn cite q bdi ruby rt rp'.split(' '),
)

const REFERENCES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }

/**
 * What is left of HTML without its tags. Only for what `sanitise` made: there `<` and `>` are always those of a tag, and
 * nothing is written as a reference but the four that have to be.
 */
export function wordsOf(html: string): string {
  return html
    .replace(/<\/?([a-z][a-z0-9]*)([^>]*)>/g, (_, tag: string, attributes: string) => {
      if (tag === 'img') return / alt="([^"]*)"/.exec(attributes)?.[1] ?? ''
      return WITHIN_A_LINE.has(tag) ? '' : ' '
    })
    .replace(/&(amp|lt|gt|quot);/g, (reference) => REFERENCES[reference] ?? '')
    .replace(/\s+/g, ' ')
    .trim()
}
