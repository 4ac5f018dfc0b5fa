import type { Db } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import { stem } from '../full-text/languages/index.ts'
import { editsBetween, keysOfMisspelling } from '../full-text/misspelling.ts'
import { keyHash } from './misspelling-keys.ts'
import { type KnownWord, selectForms, selectWordsByKeys, selectWordsByPrefix } from './vocabulary-queries.ts'

/** More completions would make search-as-you-type too slow. */
const COMPLETIONS_MAX = 10
const PREFIX_LENGTH_MIN = 2
const CORRECTIONS_MAX = 8

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
    const found = await similarWords(db, orgId, languages, word, edits)
    if (found.length > 0) return found.slice(0, CORRECTIONS_MAX)
  }
  return []
}

/** Returns the words with this many edits to this one, most frequent first. */
export async function similarWords(
  db: Db,
  orgId: OrgId,
  languages: readonly string[],
  word: string,
  edits: 1 | 2,
): Promise<KnownWord[]> {
  const texts = keysOfMisspelling(word, edits)
  if (texts.length === 0) return []
  const keys = languages.flatMap((language) => texts.map(keyHash(orgId, language)))
  const similar = await selectWordsByKeys(db, orgId, keys, word.length - edits, word.length + edits)
  return similar
    .filter((known) => languages.includes(known.language) && editsBetween(word, known.word) === edits)
    .sort((a, b) => b.texts - a.texts || (a.word < b.word ? -1 : 1))
}

/** Returns for each word about how many texts contain it in any form. */
export async function frequenciesOf(
  db: Db,
  orgId: OrgId,
  words: readonly { language: string; word: string }[],
): Promise<number[]> {
  if (words.length === 0) return []
  const prefixes = words.map(({ language, word }) => ({ language, prefix: sharedStart(word, stem(word, language)) }))
  const forms = await selectForms(db, orgId, prefixes)
  return words.map(({ language, word }) => {
    const stemmed = stem(word, language)
    const same = forms.filter((form) => form.language === language && stem(form.word, language) === stemmed)
    return same.reduce((sum, { texts }) => sum + texts, 0)
  })
}

/** A stem may end differently from its words: batteri, battery. */
export function sharedStart(word: string, stemmed: string): string {
  let length = 0
  while (length < word.length && word[length] === stemmed[length]) length++
  return word.slice(0, length)
}
