/**
 * Markup that is safe to send. The class is not exported as a value: `html` and `raw` are the only ways to make one,
 * so plain text cannot pass for markup.
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

/** `null`, `undefined` and `false` render as nothing: `${isNew && html`<b>New</b>`}`. */
export type Insert = string | number | Html | readonly Insert[] | null | undefined | false

/**
 * Escapes every insert that is not `Html`. That is safe between tags and in quoted attributes. It does not protect an
 * unquoted attribute, a script, a style, or a `javascript:` URL.
 */
export const html = (markup: TemplateStringsArray, ...inserts: readonly Insert[]): Html =>
  new Html(markup.reduce((before, after, index) => before + write(inserts[index - 1]) + after))

/** Escapes nothing. `src/testing/raw-html.test.ts` lists every call with its reason; constants are written as `html` instead. */
export const raw = (markup: string): Html => new Html(markup)

function write(insert: Insert): string {
  if (insert instanceof Html) return insert.toString()
  if (insert === null || insert === undefined || insert === false) return ''
  if (Array.isArray(insert)) return insert.map(write).join('')
  return String(insert).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
