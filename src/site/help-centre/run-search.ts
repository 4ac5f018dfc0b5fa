import { searchArticles } from '../../modules/knowledge/article-search/index.ts'
import { type Centre, findSlugs, listCategories } from '../../modules/knowledge/help-centre/index.ts'
import type { Db } from '../../platform/db/index.ts'
import type { Hit, SearchResult } from './pages/search.ts'
import type { Question } from './question.ts'
import type { Reading } from './reading.ts'

const HITS_PER_PAGE = 20
const TOPICS_OFFERED = 6

/** In the reader's language; where that finds nothing, in all of them. Undefined when nothing was asked. */
export async function runSearch(
  db: Db,
  { centre, language }: Reading,
  { q, page }: Question,
): Promise<SearchResult | undefined> {
  if (q === '') return undefined
  const offset = (page - 1) * HITS_PER_PAGE
  const own = await search(db, centre, q, language, offset)
  const isElsewhere = own.total === 0
  const found = isElsewhere ? await search(db, centre, q, undefined, offset) : own
  const topics = found.total === 0 ? (await listCategories(db, centre, undefined, {}, TOPICS_OFFERED)).items : []
  return { ...found, topics, query: q, page, hasNext: offset + HITS_PER_PAGE < found.total, isElsewhere }
}

/** What was found and can be read: the index may not have heard yet of what was withdrawn. */
async function search(
  db: Db,
  centre: Centre,
  q: string,
  language: string | undefined,
  offset: number,
): Promise<{ total: number; hits: Hit[] }> {
  const filters = { q, knowledge_base_id: centre.id, visibility: 'public' as const, language }
  const { total, hits } = await searchArticles(db, centre.orgId, filters, HITS_PER_PAGE, offset)
  const slugs = await findSlugs(db, centre, [...new Set(hits.map(({ article_id }) => article_id))])
  return {
    total: slugs.size === 0 && offset === 0 ? 0 : total,
    hits: hits.flatMap((hit) => {
      const slug = slugs.get(hit.article_id)
      if (slug === undefined) return []
      return [{ slug, language: hit.language, markedTitle: hit.marked_title, snippet: hit.snippet }]
    }),
  }
}
