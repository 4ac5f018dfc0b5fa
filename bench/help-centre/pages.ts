import type { Load } from '../support/load.ts'
import { ARTICLE, farArticle, LARGE_CATEGORY, slugOf, titlesOf } from './fill.ts'
import type { HelpCentre } from './service.ts'

/** A page of the help centre. Its functions get the number of articles. */
export interface Page {
  name: string
  /** `{n}` is replaced by the number of a random article. */
  path: (articles: number) => string
  /** A text that only this page contains. Proves that the measured response is not another page. */
  contains: (articles: number) => string
  /** Whether the visitor has the page in the cache and revalidates it. */
  isCached?: boolean
}

const category = `/categories/${LARGE_CATEGORY}`
const article = `/articles/${slugOf(ARTICLE)}`

export const PAGES: readonly Page[] = [
  { name: 'home', path: () => '', contains: () => 'Category 1<' },
  { name: 'category', path: () => category, contains: () => titlesOf(1).de },
  {
    name: 'category, far down',
    path: (articles) => `${category}?after=${slugOf(farArticle(articles))}`,
    contains: (articles) => titlesOf(farArticle(articles) + 1).de,
  },
  { name: 'article', path: () => article, contains: () => titlesOf(ARTICLE).de },
  { name: 'article, in English', path: () => `/en${article}`, contains: () => titlesOf(ARTICLE).en },
  { name: 'article, unchanged', path: () => article, contains: () => titlesOf(ARTICLE).de, isCached: true },
  { name: 'any article', path: () => '/articles/article-{n}', contains: () => titlesOf(0).de },
]

/** Prefers the articles' second language, so that language negotiation has work to do. */
const VISITOR = { 'accept-language': 'de-DE,de;q=0.9,en;q=0.8' }

export type Visit = Required<Pick<Load, 'path' | 'outOf' | 'headers' | 'status'>> & { page: string }

/** Fetches a page once. Returns the request to repeat and the page. */
export async function visit({ port, path: home, articles }: HelpCentre, page: Page): Promise<Visit> {
  const path = home + page.path(articles)
  const url = `http://127.0.0.1:${port}${path.replace('{n}', '0')}`
  const response = await fetch(url, { headers: VISITOR })
  const body = await response.text()
  if (response.status !== 200 || !body.includes(page.contains(articles))) {
    throw new Error(`${url} returned ${response.status}, not the expected page`)
  }
  const request = { path, outOf: articles }
  if (!page.isCached) return { ...request, headers: VISITOR, status: 200, page: body }
  return {
    ...request,
    headers: { ...VISITOR, 'if-none-match': response.headers.get('etag') ?? '' },
    status: 304,
    page: '',
  }
}
