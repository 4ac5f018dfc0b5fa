import type { Db } from '../../../../platform/db/index.ts'
import { type ArticleQuery, searchArticles } from '../../article-search/index.ts'
import { type Centre, findSlugs, listCategories } from '../../public-articles/index.ts'
import type { PageContext } from '../page-context.ts'
import type { SearchResult } from '../pages/search.ts'
import type { PageQuery } from './query.ts'

const HITS_PER_PAGE = 20
const TOPICS_SUGGESTED = 6

/** Searches in the reader's language, then in all languages if nothing is found. Returns undefined for an empty query. */
export async function runSearch(
  db: Db,
  { centre, language }: PageContext,
  { q, isExact, page }: PageQuery,
): Promise<SearchResult | undefined> {
  if (q === '') return undefined
  const offset = (page - 1) * HITS_PER_PAGE
  const sent = { q, keepsSpelling: isExact }
  const inLanguage = await search(db, centre, { ...sent, language }, offset)
  const isOtherLanguages = inLanguage.total === 0
  const found = isOtherLanguages ? await search(db, centre, sent, offset) : inLanguage
  const topics =
    found.total === 0 ? (await listCategories(db, centre, language, undefined, {}, TOPICS_SUGGESTED)).items : []
  return { ...found, topics, query: q, isExact, page, hasNext: offset + HITS_PER_PAGE < found.total, isOtherLanguages }
}

/** Drops hits that visitors can no longer read: the index may lag behind an article that was withdrawn. */
async function search(
  db: Db,
  centre: Centre,
  query: Pick<ArticleQuery, 'q' | 'keepsSpelling' | 'language'>,
  offset: number,
): Promise<Pick<SearchResult, 'total' | 'hits' | 'corrected' | 'unknownWords'>> {
  const filters = { ...query, knowledge_base_id: centre.id, visibility: 'public' as const }
  const { total, hits, corrected, unknownWords } = await searchArticles(
    db,
    centre.orgId,
    filters,
    HITS_PER_PAGE,
    offset,
  )
  const slugs = await findSlugs(db, centre, [...new Set(hits.map(({ article_id }) => article_id))])
  return {
    total: slugs.size === 0 && offset === 0 ? 0 : total,
    corrected,
    unknownWords,
    hits: hits.flatMap((hit) => {
      const slug = slugs.get(hit.article_id)
      if (slug === undefined) return []
      return [
        {
          slug,
          language: hit.language,
          markedTitle: hit.marked_title,
          snippet: hit.snippet,
          path: hit.category_path.map(({ name }) => name),
          missingWords: hit.missing_words.filter((word) => !unknownWords.includes(word)),
        },
      ]
    }),
  }
}
