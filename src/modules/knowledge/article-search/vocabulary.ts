import type { Db, Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { editsBetween, keysOfMisspelling, keysOfWord } from './full-text/misspelling.ts'
import {
  addToCounts,
  type CountedWord,
  deleteWords,
  insertMisspellings,
  type KnownWord,
  type Misspelling,
  selectWordsByKeys,
  selectWordsByPrefix,
} from './vocabulary-queries.ts'

/** More completions would make search-as-you-type too slow. */
const COMPLETIONS_MAX = 10
const PREFIX_LENGTH_MIN = 2
const CORRECTIONS_MAX = 8

/** Collects by how many texts the count of each word changes, then writes all changes at once. */
export class WordChanges {
  readonly #changes = new Map<string, KnownWord>()

  add(language: string, words: Iterable<string>, step: 1 | -1): void {
    for (const word of words) {
      const key = `${language} ${word}`
      const change = this.#changes.get(key)
      if (change === undefined) this.#changes.set(key, { language, word, texts: step })
      else change.texts += step
    }
  }

  async write(tx: Tx, orgId: OrgId): Promise<void> {
    const changed = [...this.#changes.values()].filter(({ texts }) => texts !== 0)
    if (changed.length === 0) return
    const counted = await addToCounts(tx, orgId, changed)
    const isNew = ({ language, word, texts }: CountedWord) => this.#changes.get(`${language} ${word}`)?.texts === texts
    const added = counted.filter((word) => word.texts > 0 && isNew(word))
    if (added.length > 0)
      await insertMisspellings(
        tx,
        added.flatMap((word) => misspellingsOf(orgId, word)),
      )
    const unused = counted.filter(({ texts }) => texts <= 0)
    if (unused.length > 0) {
      await deleteWords(
        tx,
        orgId,
        unused.map(({ id }) => id),
        unused.flatMap((word) => misspellingsOf(orgId, word)),
      )
    }
  }
}

const misspellingsOf = (orgId: OrgId, { id, language, word }: CountedWord): Misspelling[] =>
  keysOfWord(word).map((text) => ({ key: keyOf(orgId, language, text), word_id: id }))

/** Returns words that begin like this, most frequent first, until together they are in `textsMax` texts. */
export async function completionsOf(
  db: Db,
  orgId: OrgId,
  languages: readonly string[],
  prefix: string,
  textsMax: number,
): Promise<KnownWord[]> {
  if (prefix.length < PREFIX_LENGTH_MIN) return []
  let texts = 0
  return (await selectWordsByPrefix(db, orgId, languages, prefix, COMPLETIONS_MAX)).filter((word) => {
    const before = texts
    texts += word.texts
    return before < textsMax
  })
}

/** Returns the words with the fewest edits to this one, most frequent first. */
export async function correctionsOf(
  db: Db,
  orgId: OrgId,
  languages: readonly string[],
  word: string,
): Promise<KnownWord[]> {
  // One edit first: it is by far the most common, and a search for two compares many words in vain.
  for (const edits of [1, 2] as const) {
    const texts = keysOfMisspelling(word, edits)
    if (texts.length === 0) return []
    const keys = languages.flatMap((language) => texts.map((text) => keyOf(orgId, language, text)))
    const similar = await selectWordsByKeys(db, orgId, keys, word.length - edits, word.length + edits)
    const found = similar.filter(
      (known) => languages.includes(known.language) && editsBetween(word, known.word) === edits,
    )
    if (found.length > 0) return found.sort((a, b) => b.texts - a.texts).slice(0, CORRECTIONS_MAX)
  }
  return []
}

/**
 * Hashes a key to a number, which takes a tenth of the space. A collision is harmless: every word found is compared
 * with the searched one.
 */
function keyOf(orgId: OrgId, language: string, text: string): number {
  const name = `${text}${language}${orgId}`
  let key = 0x811c9dc5
  for (let at = 0; at < name.length; at++) key = Math.imul(key ^ name.charCodeAt(at), 0x01000193)
  key = Math.imul(key ^ (key >>> 16), 0x85ebca6b)
  return key ^ (key >>> 13)
}
