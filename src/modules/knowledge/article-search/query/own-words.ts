import type { Db } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import type { Expressions } from './expressions.ts'
import { type FoundWord, type FoundWords, withoutEveryday } from './find-words.ts'
import { findingWords, type PreparedQuery, RANKED_MAX, selectComplete } from './rank.ts'

/**
 * Returns the texts that have all words without everyday synonyms, so that they come first. With as many as are ranked,
 * nobody misses the others, and the synonyms are dropped. Corrected words do not matter: they are guesses.
 */
export async function preferOwnWords(
  db: Db,
  orgId: OrgId,
  expressions: Expressions,
  { words, corrections }: Pick<FoundWords, 'words' | 'corrections'>,
): Promise<Pick<PreparedQuery, 'words' | 'own'>> {
  const ownWords = words.map((word): FoundWord => ({ ...word, ...withoutEveryday(word), list: word.ownList }))
  const isTyped = ({ text }: FoundWord) => !corrections.some(({ word }) => word.text === text)
  const typed = findingWords(ownWords).filter(isTyped)
  const hasEveryday = words.some(({ variants }) => variants.some(({ isEveryday }) => isEveryday))
  if (!hasEveryday || typed.length === 0) return { words, own: undefined }
  const own = await selectComplete(db, orgId, expressions, typed, RANKED_MAX)
  return own.length < RANKED_MAX ? { words, own: new Set(own) } : { words: ownWords, own: undefined }
}
