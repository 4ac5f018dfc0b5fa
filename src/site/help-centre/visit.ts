import {
  type Centre,
  countArticles,
  findArticle,
  findCategory,
  findCategoryById,
  findCentre,
  listAddresses,
  listCategories,
  listEntries,
  listInCategory,
  listLanguages,
  listLatest,
  listRelated,
  listUncategorised,
} from '../../modules/knowledge/help-centre/index.ts'
import { LANGUAGES, type Language } from '../../modules/knowledge/languages/index.ts'
import type { Database } from '../../platform/db/index.ts'
import { negotiate } from '../../platform/text/negotiate-language.ts'
import { atomFeed } from './feed.ts'
import { articleView } from './pages/article.ts'
import { articlesView, categoriesView, categoryView } from './pages/category.ts'
import { homeView } from './pages/home.ts'
import { renderPage, type View } from './pages/layout.ts'
import { missingView, type NoticeKind, renderNotice } from './pages/notices.ts'
import { searchView } from './pages/search.ts'
import { type Question, readQuestion } from './question.ts'
import { type Reading, startReading } from './reading.ts'
import type { RenderedTexts } from './rendered-texts.ts'
import { parseAddress, type Route } from './route.ts'
import { runSearch } from './run-search.ts'
import { SITEMAP_ARTICLES_MAX, sitemap, sitemapIndex } from './sitemap.ts'
import type { Theme } from './theme.ts'

/** What the pages are made from. */
export interface Site {
  database: Database
  publicUrl: string
  themeOf: (color: string | null) => Theme
  texts: RenderedTexts
}

export interface Visit {
  publicSlug: string
  /** Below the address of the knowledge base. */
  path: string
  query: Record<string, unknown>
  acceptLanguage: string | undefined
}

export interface Answer {
  status: number
  /** Which page it is, for logs and metrics. */
  page: Route['page'] | NoticeKind
  mediaType: string
  body: string
  language: Language
  /** Whether the browser had a say in the language. */
  isNegotiated: boolean
  policy: string
}

const HTML = 'text/html; charset=utf-8'
const ATOM = 'application/atom+xml; charset=utf-8'
const XML = 'application/xml; charset=utf-8'

/** On a page that is about something else. */
const CATEGORIES_SHOWN = 30
const UNCATEGORISED_SHOWN = 30
const LATEST_SHOWN = 8
const RELATED_SHOWN = 8
const ARTICLES_PER_PAGE = 50
const CATEGORIES_PER_PAGE = 60
const FEED_ENTRIES = 30

export async function answerVisit(site: Site, visit: Visit): Promise<Answer> {
  const { read } = site.database
  const centre = await findCentre(read, visit.publicSlug)
  if (centre === undefined) return answerNotice(site, visit, 'unknown', 404)
  if (centre === 'gone') return answerNotice(site, visit, 'gone', 410)
  const { language: pinned, route } = parseAddress(visit.path)
  // An article says itself which languages it has.
  const languages = pinned !== undefined && route.page === 'article' ? [pinned] : await listLanguages(read, centre)
  const language = pinned ?? negotiate(visit.acceptLanguage, languages, centre.language)
  const reading = startReading(centre, site.publicUrl, languages, language, pinned !== undefined)
  const theme = site.themeOf(centre.primaryColor)
  // The reader's second language may be one that this article has, and the help centre's own interface another.
  const choose: Choose = (has, own) => pinned ?? negotiate(visit.acceptLanguage, has, own)
  const found = await findPage(site, centre, reading, route, readQuestion(visit.query), choose)
  const common = { language, isNegotiated: pinned === undefined, policy: theme.policy }
  if (found === undefined) {
    const body = renderPage(reading, theme, missingView(reading))
    return { ...common, status: 404, page: 'missing', mediaType: HTML, body }
  }
  if ('view' in found) {
    return { ...common, status: 200, page: route.page, mediaType: HTML, body: renderPage(reading, theme, found.view) }
  }
  return { ...common, status: 200, page: route.page, ...found }
}

/** Without a help centre to be in. */
export function answerNotice(
  { themeOf }: Pick<Site, 'themeOf'>,
  { path, acceptLanguage }: Visit,
  kind: NoticeKind,
  status: number,
): Answer {
  const { language: pinned } = parseAddress(path)
  const language = pinned ?? negotiate(acceptLanguage, LANGUAGES, 'en')
  const theme = themeOf(null)
  const body = renderNotice(kind, language, theme)
  return { status, page: kind, mediaType: HTML, body, language, isNegotiated: true, policy: theme.policy }
}

/** Which of the languages of an article it is shown in. */
type Choose = (languages: readonly string[], own: string) => string

type Page = { view: View } | { mediaType: string; body: string }

async function findPage(
  { database, texts }: Site,
  centre: Centre,
  reading: Reading,
  route: Route,
  question: Question,
  choose: Choose,
): Promise<Page | undefined> {
  const { read, readLong } = database
  const { language } = reading
  switch (route.page) {
    case 'home': {
      const [categories, uncategorised, latest] = await Promise.all([
        listCategories(read, centre, undefined, {}, CATEGORIES_SHOWN),
        listUncategorised(read, centre, language, UNCATEGORISED_SHOWN),
        listLatest(read, centre, language, {}, LATEST_SHOWN),
      ])
      return { view: homeView(reading, { categories, uncategorised, latest }) }
    }
    case 'categories': {
      const within = question.within === undefined ? undefined : await findCategory(read, centre, question.within)
      const categories = await listCategories(read, centre, within, question.position, CATEGORIES_PER_PAGE)
      return { view: categoriesView(reading, within, categories, question.asked) }
    }
    case 'articles': {
      const articles = await listLatest(read, centre, language, question.position, ARTICLES_PER_PAGE)
      return { view: articlesView(reading, articles, question.asked) }
    }
    case 'category': {
      const category = await findCategory(read, centre, route.slug)
      if (category === undefined) return undefined
      const [categories, articles] = await Promise.all([
        listCategories(read, centre, category, {}, CATEGORIES_SHOWN),
        listInCategory(read, centre, category, language, question.position, ARTICLES_PER_PAGE),
      ])
      return { view: categoryView(reading, category, { categories, articles, position: question.asked }) }
    }
    case 'article': {
      const article = await findArticle(read, centre, route.slug, choose)
      if (article === undefined) return undefined
      const [category, content, related] = await Promise.all([
        article.categoryId === null ? undefined : findCategoryById(read, centre, article.categoryId),
        texts.get(centre, article.text),
        listRelated(read, centre, article, language, RELATED_SHOWN),
      ])
      return { view: articleView(reading, article, { category, content, related }) }
    }
    case 'search':
      return { view: searchView(reading, await runSearch(readLong, reading, question)) }
    case 'feed':
      return { mediaType: ATOM, body: atomFeed(reading, await listEntries(readLong, centre, language, FEED_ENTRIES)) }
    case 'sitemap': {
      const total = await countArticles(readLong, centre)
      if (route.part === undefined && total > SITEMAP_ARTICLES_MAX) {
        return { mediaType: XML, body: sitemapIndex(reading, total) }
      }
      const offset = ((route.part ?? 1) - 1) * SITEMAP_ARTICLES_MAX
      if (offset > 0 && offset >= total) return undefined
      const addresses = await listAddresses(readLong, centre, SITEMAP_ARTICLES_MAX, offset)
      return { mediaType: XML, body: sitemap(reading, addresses, offset === 0) }
    }
    case 'missing':
      return undefined
  }
}
