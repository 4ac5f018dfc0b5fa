import type { Load } from '../support/load.ts'
import { ARTICLE, farArticle, LARGE_CATEGORY, slugOf, titlesOf } from './fill.ts'
import type { HelpCentre } from './service.ts'

/** One of the pages that visitors read, in a help centre of so many articles. */
export interface Page {
  name: string
  /** `{n}` stands for the number of any article. */
  path: (articles: number) => string
  /** What only this page shows: another one, answered instead, would be as quick and as green. */
  shows: (articles: number) => string
  /** Whether the visitor has it from before and asks whether it changed. */
  isHeld?: boolean
}

const category = `/categories/${LARGE_CATEGORY}`
const article = `/articles/${slugOf(ARTICLE)}`

export const PAGES: readonly Page[] = [
  { name: 'home', path: () => '', shows: () => 'Category 1<' },
  { name: 'category', path: () => category, shows: () => titlesOf(1).de },
  {
    name: 'category, far down',
    path: (articles) => `${category}?after=${slugOf(farArticle(articles))}`,
    shows: (articles) => titlesOf(farArticle(articles) + 1).de,
  },
  { name: 'article', path: () => article, shows: () => titlesOf(ARTICLE).de },
  { name: 'article, in English', path: () => `/en${article}`, shows: () => titlesOf(ARTICLE).en },
  { name: 'article, unchanged', path: () => article, shows: () => titlesOf(ARTICLE).de, isHeld: true },
  { name: 'any article', path: () => '/articles/article-{n}', shows: () => titlesOf(0).de },
]

/** The articles' second language, so that choosing one has something to choose. */
const VISITOR = { 'accept-language': 'de-DE,de;q=0.9,en;q=0.8' }

export type Visit = Required<Pick<Load, 'path' | 'outOf' | 'headers' | 'status'>> & { page: string }

/** How this page is asked for there, and what is answered. */
export async function visit({ port, path: home, articles }: HelpCentre, page: Page): Promise<Visit> {
  const path = home + page.path(articles)
  const url = `http://127.0.0.1:${port}${path.replace('{n}', '0')}`
  const response = await fetch(url, { headers: VISITOR })
  const body = await response.text()
  if (response.status !== 200 || !body.includes(page.shows(articles))) {
    throw new Error(`${url} answered ${response.status}, and not the page that is measured`)
  }
  const asked = { path, outOf: articles }
  if (!page.isHeld) return { ...asked, headers: VISITOR, status: 200, page: body }
  return {
    ...asked,
    headers: { ...VISITOR, 'if-none-match': response.headers.get('etag') ?? '' },
    status: 304,
    page: '',
  }
}
