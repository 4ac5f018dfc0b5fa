/**
 * Markup that is safe to send. The class stays in this file: `html` and `raw` are the only two ways to make one,
 * so text that somebody wrote cannot pass for markup.
 */
class Html {
  readonly #markup: string

  constructor(markup: string) {
    this.#markup = markup
  }

  toString(): string {
    return this.#markup
  }
}

export type { Html }

/** A condition that does not hold leaves nothing behind: `${isNew && html`<b>New</b>`}`. */
export type Insert = string | number | Html | readonly Insert[] | null | undefined | false

/**
 * Everything put in is text, unless it is markup itself. That is safe between tags and in attributes within quotes;
 * it cannot protect an attribute without quotes, a script, a style, or an address whose scheme is `javascript:`.
 */
export const html = (markup: TemplateStringsArray, ...inserts: readonly Insert[]): Html =>
  new Html(markup.reduce((before, after, index) => before + write(inserts[index - 1]) + after))

/** For constants of our own, such as a style sheet: nothing is escaped. */
export const raw = (markup: string): Html => new Html(markup)

function write(insert: Insert): string {
  if (insert instanceof Html) return insert.toString()
  if (insert === null || insert === undefined || insert === false) return ''
  if (Array.isArray(insert)) return insert.map(write).join('')
  return String(insert).replace(/[&<>"']/g, (character) => REFERENCES[character] ?? '')
}

const REFERENCES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
