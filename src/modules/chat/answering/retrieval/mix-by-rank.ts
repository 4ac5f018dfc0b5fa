import type { Db } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import { type PassageScope, selectRanked } from '../../../knowledge/passages/index.ts'
import { type ScoredPassage, Scorer } from './score.ts'
import type { SearchedPassages } from './search-passages.ts'

/** Returns the passages that mean nearly the same as a text, the nearest first. Empty if it does not know; never rejects. */
export type FindSimilar = (orgId: OrgId, text: string) => Promise<number[]>

/** Limits each list. Beyond, a passage is found by chance. */
const CANDIDATES_MAX = 50
/** The usual value. Two good places then count more than one first place. */
const RANK_OFFSET = 60

/** Scores languages in which nothing was looked for. */
const WITHOUT_WORDS = new Scorer([], false)

/**
 * Mixes what was found by words with what was found by meaning: each list gives a passage 1 / (60 + its place in the list).
 * So it does not matter how the scores of the two compare.
 */
export async function mixByRank(
  db: Db,
  orgId: OrgId,
  { passages, scorers }: Pick<SearchedPassages, 'passages' | 'scorers'>,
  similarIds: readonly number[],
  scope: PassageScope,
): Promise<ScoredPassage[]> {
  if (similarIds.length === 0) return passages
  const inScope = new Map((await selectRanked(db, orgId, similarIds, scope)).map((passage) => [passage.id, passage]))
  const similar = similarIds.flatMap((id) => inScope.get(id) ?? []).slice(0, CANDIDATES_MAX)
  const toScored = (passage: (typeof similar)[number]): ScoredPassage =>
    (scorers.get(passage.language) ?? WITHOUT_WORDS).score(passage)
  const mixed = new Map<number, { passage: ScoredPassage; rank: number }>()
  for (const list of [passages.slice(0, CANDIDATES_MAX), similar.map(toScored)]) {
    for (const [place, passage] of list.entries()) {
      const entry = mixed.get(passage.id) ?? { passage, rank: 0 }
      entry.rank += 1 / (RANK_OFFSET + place + 1)
      mixed.set(passage.id, entry)
    }
  }
  // Of two with the same rank, the one that has more words of the question stays first.
  return [...mixed.values()].sort((a, b) => b.rank - a.rank).map(({ passage }) => passage)
}
