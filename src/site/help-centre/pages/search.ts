import { articlePath, type CategoryItem, listPath } from '../../../modules/knowledge/help-centre/index.ts'
import { type Html, html, raw } from '../../../platform/text/html.ts'
import { fill, formatNumber, languageName, pluralForm } from '../formatting.ts'
import type { PageContext } from '../page-context.ts'
import { searchForm, type View } from './layout.ts'
import { categoryCards, langOf } from './lists.ts'

export interface Hit {
  slug: string
  language: string
  /** Sanitised HTML with the matches in `<mark>`, as is the snippet. */
  markedTitle: string
  snippet: string
}

export interface SearchResult {
  query: string
  total: number
  hits: readonly Hit[]
  /** Suggested when nothing was found. */
  topics: readonly CategoryItem[]
  page: number
  hasNext: boolean
  /** Whether the hits are in other languages, because there were none in the reader's. */
  isOtherLanguages: boolean
}

/** The result is undefined when the query is empty. */
export function searchView(context: PageContext, result: SearchResult | undefined): View {
  const { texts, language, languages, at } = context
  const query = result?.query ?? ''
  const heading = result === undefined ? texts.search : headingOf(context, result)
  const queryString = result === undefined ? '' : `?${new URLSearchParams({ q: query })}`
  return {
    title: heading,
    main: html`<main class="narrow" id="content" tabindex="-1">
${searchForm(context, query)}
<h1 class="found" dir="auto">${heading}</h1>
${result !== undefined && (result.total > 0 ? hits(context, result) : noHits(context, result))}
</main>`,
    header: 'brand',
    languageLinks: languages.map((other) => ({
      language: other,
      path: `${listPath(at, 'search', other)}${queryString}`,
    })),
    contentLanguage: language,
  }
}

function headingOf({ texts, language }: PageContext, { query, total }: SearchResult): string {
  if (total === 0) return fill(texts.noResults, { q: query })
  return fill(pluralForm(texts.results, total, language), { n: formatNumber(total, language), q: query })
}

const hits = (context: PageContext, result: SearchResult): Html => {
  const { texts, language } = context
  return html`${
    result.isOtherLanguages &&
    html`<p class="note">${fill(texts.otherLanguages, { language: languageName(language, language) })}</p>`
  }<ol class="hits">${result.hits.map(
    (hit) =>
      html`<li dir="auto"${langOf(hit.language, language)}><h2><a href="${pathTo(context, hit)}">${raw(hit.markedTitle)}</a></h2><p>${raw(
        hit.snippet,
      )}</p>${
        hit.language !== language && html`<small lang="${language}">${languageName(hit.language, language)}</small>`
      }</li>`,
  )}</ol>${pageLinks(context, result)}`
}

/** Links to the translation that matched, because the one in the reader's language may not contain the words. */
const pathTo = ({ at, language, to }: PageContext, hit: Hit): string =>
  hit.language === language ? to.article(hit.slug) : articlePath(at, hit.slug, hit.language)

const noHits = (context: PageContext, { topics }: SearchResult): Html =>
  html`<p class="lead">${context.texts.searchAdvice}</p>${
    topics.length > 0 && html`<section><h2>${context.texts.topics}</h2>${categoryCards(context, topics)}</section>`
  }`

function pageLinks({ texts, to }: PageContext, { query, page, hasNext }: SearchResult): Html | false {
  if (page === 1 && !hasNext) return false
  const pathOf = (n: number) => `${to.search}?${new URLSearchParams({ q: query, page: String(n) })}`
  return html`<nav class="pages" aria-label="${texts.pages}">${
    page > 1 && html`<a rel="prev" href="${pathOf(page - 1)}">${texts.previous}</a>`
  }${hasNext && html`<a class="next" rel="next" href="${pathOf(page + 1)}">${texts.next}</a>`}</nav>`
}
