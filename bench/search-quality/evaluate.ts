import { searchArticles } from '../../src/modules/knowledge/article-search/index.ts'
import type { Db } from '../../src/platform/db/index.ts'
import type { OrgId } from '../../src/platform/ids/index.ts'
import type { SearchQuestion } from './questions.ts'

export interface EvaluatedSearch {
  question: SearchQuestion
  /** The keys of the articles found, best first. */
  found: string[]
  /** Starts at 1; 0 if the right article is not among them. */
  place: number
}

const SHOWN = 10

/** Searches as the help centre does: public articles in the reader's language. */
export async function evaluate(
  db: Db,
  orgId: OrgId,
  knowledgeBaseId: string,
  keys: ReadonlyMap<string, string>,
  question: SearchQuestion,
): Promise<EvaluatedSearch> {
  const { q, language } = question
  const query = { q, language, knowledge_base_id: knowledgeBaseId, visibility: 'public' }
  const { hits } = await searchArticles(db, orgId, query, SHOWN, 0)
  const found = hits.map(({ article_id }) => keys.get(article_id) ?? '')
  return { question, found, place: found.indexOf(question.article) + 1 }
}

interface Shares {
  first: number
  firstThree: number
  empty: number
}

export const sharesOf = (outcomes: readonly EvaluatedSearch[]): Shares => {
  const share = (has: (outcome: EvaluatedSearch) => boolean) => outcomes.filter(has).length / outcomes.length
  return {
    first: share(({ place }) => place === 1),
    firstThree: share(({ place }) => place >= 1 && place <= 3),
    empty: outcomes.filter(({ found }) => found.length === 0).length,
  }
}

export const percent = (share: number): string => `${(100 * share).toFixed(1)} %`
