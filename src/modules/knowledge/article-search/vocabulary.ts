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
  selectBeginningWith,
  selectByKeys,
} from './vocabulary-queries.ts'

/** More would be compared for longer than somebody who is typing wants to wait. */
const COMPLETIONS_MAX = 10
const BEGINNING_LENGTH_MIN = 2
const CORRECTIONS_MAX = 8

/** How often each word of each language comes and goes. */
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
        added.flatMap((word) => filedUnder(orgId, word)),
      )
    const gone = counted.filter(({ texts }) => texts <= 0)
    if (gone.length > 0) {
      const filed = gone.flatMap((word) => filedUnder(orgId, word))
      await deleteWords(
        tx,
        orgId,
        gone.map(({ id }) => id),
        filed,
      )
    }
  }
}

const filedUnder = (orgId: OrgId, { id, language, word }: CountedWord): Misspelling[] =>
  keysOfWord(word).map((text) => ({ key: keyOf(orgId, language, text), word_id: id }))

/** The words that somebody may be about to type, the most frequent first, until they stand in so many texts. */
export async function completionsOf(
  db: Db,
  orgId: OrgId,
  languages: readonly string[],
  beginning: string,
  textsMax: number,
): Promise<KnownWord[]> {
  if (beginning.length < BEGINNING_LENGTH_MIN) return []
  let texts = 0
  return (await selectBeginningWith(db, orgId, languages, beginning, COMPLETIONS_MAX)).filter((word) => {
    const before = texts
    texts += word.texts
    return before < textsMax
  })
}

/** The words that somebody may have meant: those with the fewest mistakes in them, the most frequent first. */
export async function correctionsOf(
  db: Db,
  orgId: OrgId,
  languages: readonly string[],
  word: string,
): Promise<KnownWord[]> {
  // Nearly everybody makes one mistake, and looking for two finds many words that are then compared in vain.
  for (const edits of [1, 2] as const) {
    const texts = keysOfMisspelling(word, edits)
    if (texts.length === 0) return []
    const keys = languages.flatMap((language) => texts.map((text) => keyOf(orgId, language, text)))
    const similar = await selectByKeys(db, orgId, keys, word.length - edits, word.length + edits)
    const found = similar.filter(
      (known) => languages.includes(known.language) && editsBetween(word, known.word) === edits,
    )
    if (found.length > 0) return found.sort((a, b) => b.texts - a.texts).slice(0, CORRECTIONS_MAX)
  }
  return []
}

/**
 * A number instead of the text: a tenth of the space. Two texts that have the same one only make us look at a word in
 * vain, because every word that is found is compared with the one that was asked for.
 */
function keyOf(orgId: OrgId, language: string, text: string): number {
  const name = `${text}${language}${orgId}`
  let key = 0x811c9dc5
  for (let at = 0; at < name.length; at++) key = Math.imul(key ^ name.charCodeAt(at), 0x01000193)
  key = Math.imul(key ^ (key >>> 16), 0x85ebca6b)
  return key ^ (key >>> 13)
}
