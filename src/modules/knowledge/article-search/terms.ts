import type { OrgId } from '../../../platform/ids/index.ts'

/**
 * What the index holds. A term names its organisation, so that nobody searches among the texts of others; then what it
 * says, and the language that it says it in:
 *
 * - `e` the text has this very word (or these characters);
 * - `s` it has a word with this stem;
 * - `t` its title has a word with this stem; `p` it has such words more often than most;
 * - `k`, `v` and `b`: it is in this knowledge base, has this visibility, both.
 *
 * Terms have no character that means something to a search engine: letters and digits only.
 */
export class Terms {
  readonly #organisation: string

  constructor(orgId: OrgId) {
    // Enough of it that two organisations share a prefix once in a long while. Then a total may be too high: whose
    // text it is, is checked again on every row that is read.
    this.#organisation = Number.parseInt(orgId.slice(-10), 16).toString(36).padStart(8, '0')
  }

  exact(language: string, word: string): string {
    return `${this.#organisation}e${language}${word}`
  }

  /** A text with any form of the word has the term of its stem. */
  anyForm(language: string, stemmed: string): string {
    return `${this.#organisation}s${language}${stemmed}`
  }

  inTitle(language: string, stemmed: string): string {
    return `${this.#organisation}t${language}${stemmed}`
  }

  prominent(language: string, stemmed: string): string {
    return `${this.#organisation}p${language}${stemmed}`
  }

  /** Everything by which a search can be narrowed, each as one term: one list to intersect, whatever is asked. */
  ofScope(knowledgeBaseId: string, visibility: string): string[] {
    return [
      this.scope(knowledgeBaseId, undefined),
      this.scope(undefined, visibility),
      this.scope(knowledgeBaseId, visibility),
    ].flat()
  }

  /** None when nothing narrows the search. */
  scope(knowledgeBaseId: string | undefined, visibility: string | undefined): string[] {
    const base = knowledgeBaseId?.replaceAll('-', '') ?? ''
    const level = visibility?.replaceAll(/[^a-z]/g, '') ?? ''
    if (base === '' && level === '') return []
    return [`${this.#organisation}${base === '' ? 'v' : level === '' ? 'k' : 'b'}${base}${level}`]
  }
}
