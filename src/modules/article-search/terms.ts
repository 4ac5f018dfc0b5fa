import { stem } from '../../platform/full-text/stem.ts'
import type { OrgId } from '../../platform/ids.ts'

/**
 * What the index holds. A term names its organisation, so that nobody searches among the texts of others; then what it
 * says, and the language that it says it in:
 *
 * - `e` the text has this very word (or these characters);
 * - `s` it has a word with this stem, that is not itself the stem;
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

  /** What a text is found by that has the word: the word, and its stem when that is something else. */
  ofWord(language: string, word: string, stemmed: string): string[] {
    const exact = this.exact(language, word)
    return stemmed === word ? [exact] : [exact, `${this.#organisation}s${language}${stemmed}`]
  }

  /** Any of which a text has that has the word in some form. */
  anyForm(language: string, word: string): string[] {
    const stemmed = stem(word, language)
    return [this.exact(language, stemmed), `${this.#organisation}s${language}${stemmed}`]
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

/** All of these groups, and of each group any. */
export type Expression = readonly (readonly string[])[]
