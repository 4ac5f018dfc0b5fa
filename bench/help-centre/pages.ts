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
  /** Whether the visitor has the page and asks whether it has changed. */
  isUnchanged?: boolean
  /** The encoding that the visitor accepts. */
  encoding?: 'br'
}

const category = `/categories/${LARGE_CATEGORY}`
const home = { path: () => '', contains: () => 'Category 1<' }
const article = { path: () => `/articles/${slugOf(ARTICLE)}`, contains: () => titlesOf(ARTICLE).de }

/** After the first visit, the service has a page in its cache, unless the name says otherwise. */
export const PAGES: readonly Page[] = [
  { name: 'home', ...home },
  { name: 'home, compressed', ...home, encoding: 'br' },
  { name: 'article', ...article },
  { name: 'article, compressed', ...article, encoding: 'br' },
  { name: 'article, unchanged', ...article, isUnchanged: true },
  { name: 'article, in English', path: () => `/en${article.path()}`, contains: () => titlesOf(ARTICLE).en },
  { name: 'category', path: () => category, contains: () => titlesOf(1).de },
  {
    name: 'category, not cached',
    path: (articles) => `${category}?after=${slugOf(farArticle(articles))}`,
    contains: (articles) => titlesOf(farArticle(articles) + 1).de,
  },
  { name: 'any article', path: () => '/articles/article-{n}', contains: () => titlesOf(0).de },
]

/** Prefers the articles' second language, so that language negotiation has work to do. */
const VISITOR = { 'accept-language': 'de-DE,de;q=0.9,en;q=0.8' }

export type PageLoad = Required<Pick<Load, 'path' | 'outOf' | 'headers' | 'status'>> & { bytes: number }

/** Fetches a page once. Returns the request to repeat and the length of the response. */
export async function visit({ port, path: root, articles }: HelpCentre, page: Page): Promise<PageLoad> {
  const path = root + page.path(articles)
  const url = `http://127.0.0.1:${port}${path.replace('{n}', '0')}`
  const headers = { ...VISITOR, 'accept-encoding': page.encoding ?? 'identity' }
  const response = await fetch(url, { headers })
  const body = await response.text()
  if (response.status !== 200 || !body.includes(page.contains(articles))) {
    throw new Error(`${url} returned ${response.status}, not the expected page`)
  }
  if (response.headers.get('content-encoding') !== (page.encoding ?? null)) {
    throw new Error(`${url} returned ${response.headers.get('content-encoding')}, not the expected encoding`)
  }
  const request = { path, outOf: articles }
  if (!page.isUnchanged) {
    return { ...request, headers, status: 200, bytes: Number(response.headers.get('content-length')) }
  }
  return {
    ...request,
    headers: { ...headers, 'if-none-match': response.headers.get('etag') ?? '' },
    status: 304,
    bytes: 0,
  }
}
