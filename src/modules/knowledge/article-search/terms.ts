import type { OrgId } from '../../../platform/ids/index.ts'

/**
 * Builds the terms of the index. A term starts with its organisation, so that a search never reads the texts of others.
 * Then follow its kind, and the language and word or the scope:
 *
 * - `e` the text contains exactly this word (or these characters);
 * - `s` it contains a word with this stem;
 * - `t` its title contains a word with this stem;
 * - `p` a word with this stem is among its most frequent;
 * - `k`, `v`, `b` it is in this knowledge base, has this visibility, both.
 *
 * Terms contain only letters and digits, so no character is special to the engines.
 */
export class Terms {
  readonly #organisation: string

  constructor(orgId: OrgId) {
    // Long enough that two organisations rarely share a prefix. If they do, a total may be too high, but no text leaks:
    // every row that is read is checked for its organisation.
    this.#organisation = Number.parseInt(orgId.slice(-10), 16).toString(36).padStart(8, '0')
  }

  exact(language: string, word: string): string {
    return `${this.#organisation}e${language}${word}`
  }

  anyForm(language: string, stemmed: string): string {
    return `${this.#organisation}s${language}${stemmed}`
  }

  inTitle(language: string, stemmed: string): string {
    return `${this.#organisation}t${language}${stemmed}`
  }

  prominent(language: string, stemmed: string): string {
    return `${this.#organisation}p${language}${stemmed}`
  }

  /** Returns one term for each possible scope of a search, so that a scope is always one list to intersect. */
  ofScope(knowledgeBaseId: string, visibility: string): string[] {
    return [
      this.scope(knowledgeBaseId, undefined),
      this.scope(undefined, visibility),
      this.scope(knowledgeBaseId, visibility),
    ].flat()
  }

  /** Returns one term, or none for a search without a scope. */
  scope(knowledgeBaseId: string | undefined, visibility: string | undefined): string[] {
    const base = knowledgeBaseId?.replaceAll('-', '') ?? ''
    const level = visibility?.replaceAll(/[^a-z]/g, '') ?? ''
    if (base === '' && level === '') return []
    return [`${this.#organisation}${base === '' ? 'v' : level === '' ? 'k' : 'b'}${base}${level}`]
  }
}
