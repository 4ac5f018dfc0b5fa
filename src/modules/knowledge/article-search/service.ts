import type { z } from 'zod'
import type { OffsetPage } from '../../../platform/contract/pagination.ts'
import type { Context } from '../../../platform/http/index.ts'
import { articlePath, centrePath } from '../public-articles/index.ts'
import type { ArticleSearchResult, articleSearch } from './contract.ts'
import type { Hit } from './query/hits.ts'
import { searchArticles } from './query/search.ts'

type SearchQuery = z.output<typeof articleSearch.search.declared.query>

export async function listResults(
  ctx: Context,
  { page, page_size, ...query }: SearchQuery,
  publicUrl: string,
): Promise<OffsetPage<ArticleSearchResult>> {
  const { total, hits } = await searchArticles(ctx.readLong, ctx.orgId, query, page_size, (page - 1) * page_size)
  return { total, data: hits.map((hit) => toResult(hit, publicUrl)) }
}

const toResult = (hit: Hit, publicUrl: string): ArticleSearchResult => {
  const { article_id, title, snippet, score, slug, public_slug, category_path, missing_words } = hit
  const language = hit.language as ArticleSearchResult['language']
  const url = public_slug === null ? null : articlePath(publicUrl + centrePath(public_slug), slug, language)
  return {
    object: 'article_search_result',
    article_id,
    language,
    title,
    url,
    snippet,
    score,
    category_path,
    missing_words,
  }
}
