import type { Database } from '../../../platform/db/index.ts'
import { findOpenChatbot } from '../../chat/chatbots/index.ts'
import {
  type CentreRoute,
  countArticles,
  findCategory,
  findCategoryById,
  listAddresses,
  listCategories,
  listEntries,
  listInCategory,
  listLatest,
  listRelated,
  listUncategorised,
} from '../public-articles/index.ts'
import { completeContent } from './article-content.ts'
import { atomFeed } from './feeds/feed.ts'
import { SITEMAP_ARTICLES_MAX, sitemap, sitemapIndex } from './feeds/sitemap.ts'
import type { PageContext } from './page-context.ts'
import { articleView } from './pages/article.ts'
import { articlesView, categoriesView, categoryView } from './pages/category.ts'
import { feedbackView } from './pages/feedback.ts'
import { homeView } from './pages/home.ts'
import { searchView } from './pages/search.ts'
import type { CentreView, ShownArticle } from './pages/view.ts'
import type { RenderedTexts } from './rendered-texts.ts'
import type { PageQuery } from './search/query.ts'
import { runSearch } from './search/run-search.ts'

export interface PageSources {
  database: Database
  texts: RenderedTexts
}

const ATOM = 'application/atom+xml; charset=utf-8'
const XML = 'application/xml; charset=utf-8'

const CATEGORIES_SHOWN = 30
const UNCATEGORISED_SHOWN = 30
const LATEST_SHOWN = 8
const RELATED_SHOWN = 8
const ARTICLES_PER_PAGE = 50
const CATEGORIES_PER_PAGE = 60
const FEED_ENTRIES = 30

type Page = { view: CentreView } | { mediaType: string; body: string }

/** Loads the data of a route and builds its page. Returns undefined when nothing exists at the address. */
export async function findPage(
  { database, texts }: PageSources,
  context: PageContext,
  route: CentreRoute,
  query: PageQuery,
  shown: ShownArticle | undefined,
): Promise<Page | undefined> {
  const { read, readLong } = database
  const { centre, language } = context
  switch (route.page) {
    case 'home': {
      const [categories, uncategorised, latest] = await Promise.all([
        listCategories(read, centre, language, undefined, {}, CATEGORIES_SHOWN),
        listUncategorised(read, centre, language, UNCATEGORISED_SHOWN),
        listLatest(read, centre, language, {}, LATEST_SHOWN),
      ])
      return { view: homeView(context, { categories, uncategorised, latest }) }
    }
    case 'categories': {
      const parent =
        query.parentSlug === undefined ? undefined : await findCategory(read, centre, language, query.parentSlug)
      const categories = await listCategories(read, centre, language, parent, query.position, CATEGORIES_PER_PAGE)
      return { view: categoriesView(context, parent, categories, query.positionParam) }
    }
    case 'articles': {
      const articles = await listLatest(read, centre, language, query.position, ARTICLES_PER_PAGE)
      return { view: articlesView(context, articles, query.positionParam) }
    }
    case 'category': {
      const category = await findCategory(read, centre, language, route.slug)
      if (category === undefined) return undefined
      const [categories, articles] = await Promise.all([
        listCategories(read, centre, language, category, {}, CATEGORIES_SHOWN),
        listInCategory(read, centre, category, language, query.position, ARTICLES_PER_PAGE),
      ])
      return { view: categoryView(context, category, { categories, articles, position: query.positionParam }) }
    }
    case 'article': {
      if (shown === undefined) return undefined
      const { article, text } = shown
      const [category, content, related] = await Promise.all([
        article.categoryId === null ? undefined : findCategoryById(read, centre, language, article.categoryId),
        texts.get(centre, text),
        listRelated(read, centre, article, language, RELATED_SHOWN),
      ])
      const completed = await completeContent(read, context, text.language, content.html)
      return { view: articleView(context, shown, { category, content: { ...content, ...completed }, related }) }
    }
    case 'feedback': {
      const chatbot = await findOpenChatbot(read, centre.orgId, centre.id)
      return shown && { view: feedbackView(context, shown, chatbot) }
    }
    case 'search':
      return { view: searchView(context, await runSearch(readLong, context, query)) }
    case 'feed':
      return { mediaType: ATOM, body: atomFeed(context, await listEntries(readLong, centre, language, FEED_ENTRIES)) }
    case 'sitemap': {
      const total = await countArticles(readLong, centre)
      if (route.part === undefined && total > SITEMAP_ARTICLES_MAX) {
        return { mediaType: XML, body: sitemapIndex(context, total) }
      }
      const offset = ((route.part ?? 1) - 1) * SITEMAP_ARTICLES_MAX
      if (offset > 0 && offset >= total) return undefined
      const addresses = await listAddresses(readLong, centre, SITEMAP_ARTICLES_MAX, offset)
      return { mediaType: XML, body: sitemap(context, addresses, offset === 0) }
    }
    // Is redirected instead.
    case 'permalink':
    case 'missing':
      return undefined
  }
}
