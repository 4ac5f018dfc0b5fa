import type { OrgId } from '../../../platform/ids/index.ts'

/**
 * Builds the terms of the index. A term starts with its organisation, so that a search never reads the texts of others.
 * Then follow its kind, and the language and word or the scope:
 *
 * - `e` the text contains exactly this word (or these characters);
 * - `s` it contains a word with this stem;
 * - `t` its title contains a word with this stem;
 * - `p` a word with this stem is among its most frequent, or in a heading;
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
    return `${this.#organisation}e${keyOf(language)}${word}`
  }

  anyForm(language: string, stemmed: string): string {
    return `${this.#organisation}s${keyOf(language)}${stemmed}`
  }

  inTitle(language: string, stemmed: string): string {
    return `${this.#organisation}t${keyOf(language)}${stemmed}`
  }

  prominent(language: string, stemmed: string): string {
    return `${this.#organisation}p${keyOf(language)}${stemmed}`
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

const TWO_LETTERS = /^[a-z]{2}$/

/**
 * Returns a language tag as a part of a term. One of two letters ends where the word begins; a longer one has its length
 * before it, because `en-GB` and a word that begins with "gb" must not be the same term.
 */
function keyOf(language: string): string {
  if (TWO_LETTERS.test(language)) return language
  const letters = language.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return `0${String(letters.length).padStart(2, '0')}${letters}`
}
