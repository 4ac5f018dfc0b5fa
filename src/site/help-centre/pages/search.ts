import { articlePath, type CategoryItem, searchPath } from '../../../modules/knowledge/help-centre/index.ts'
import { type Html, html, raw } from '../../../platform/text/html.ts'
import type { Reading } from '../reading.ts'
import { fill, formFor, nameLanguage, writeNumber } from '../wording.ts'
import { searchForm, type View } from './layout.ts'
import { categoryCards, langOf } from './lists.ts'

export interface Hit {
  slug: string
  language: string
  /** Safe, with what was searched for in marks; likewise the snippet. */
  markedTitle: string
  snippet: string
}

export interface SearchResult {
  query: string
  total: number
  hits: readonly Hit[]
  /** What else to look through, where nothing was found. */
  topics: readonly CategoryItem[]
  page: number
  hasNext: boolean
  /** Whether nothing was found in the reader's language, so that these are of others. */
  isElsewhere: boolean
}

/** Without a result nothing was asked yet. */
export function searchView(reading: Reading, result: SearchResult | undefined): View {
  const { texts, language, languages, centre } = reading
  const query = result?.query ?? ''
  const heading = result === undefined ? texts.search : headingOf(reading, result)
  const asked = result === undefined ? '' : `?${new URLSearchParams({ q: query })}`
  return {
    title: heading,
    main: html`<main class="narrow" id="content" tabindex="-1">
${searchForm(reading, query)}
<h1 class="found" dir="auto">${heading}</h1>
${result !== undefined && (result.total > 0 ? hits(reading, result) : nothing(reading, result))}
</main>`,
    header: 'brand',
    switch: languages.map((other) => ({ language: other, path: `${searchPath(centre.publicSlug, other)}${asked}` })),
    shown: language,
  }
}

function headingOf({ texts, language }: Reading, { query, total }: SearchResult): string {
  if (total === 0) return fill(texts.nothing, { q: query })
  return fill(formFor(texts.results, total, language), { n: writeNumber(total, language), q: query })
}

const hits = (reading: Reading, result: SearchResult): Html => {
  const { texts, language } = reading
  return html`${
    result.isElsewhere &&
    html`<p class="note">${fill(texts.inOthers, { language: nameLanguage(language, language) })}</p>`
  }<ol class="hits">${result.hits.map(
    (hit) =>
      html`<li dir="auto"${langOf(hit.language, language)}><h2><a href="${pathTo(reading, hit)}">${raw(hit.markedTitle)}</a></h2><p>${raw(
        hit.snippet,
      )}</p>${
        hit.language !== language && html`<small lang="${language}">${nameLanguage(hit.language, language)}</small>`
      }</li>`,
  )}</ol>${pageLinks(reading, result)}`
}

/** To the very text that was found: in the reader's own language the article may say it differently. */
const pathTo = ({ centre, language, to }: Reading, hit: Hit): string =>
  hit.language === language ? to.article(hit.slug) : articlePath(centre.publicSlug, hit.slug, hit.language)

const nothing = (reading: Reading, { topics }: SearchResult): Html =>
  html`<p class="lead">${reading.texts.advice}</p>${
    topics.length > 0 && html`<section><h2>${reading.texts.topics}</h2>${categoryCards(reading, topics)}</section>`
  }`

function pageLinks({ texts, to }: Reading, { query, page, hasNext }: SearchResult): Html | false {
  if (page === 1 && !hasNext) return false
  const pathOf = (n: number) => `${to.search}?${new URLSearchParams({ q: query, page: String(n) })}`
  return html`<nav class="pages" aria-label="${texts.pages}">${
    page > 1 && html`<a rel="prev" href="${pathOf(page - 1)}">${texts.previous}</a>`
  }${hasNext && html`<a class="next" rel="next" href="${pathOf(page + 1)}">${texts.next}</a>`}</nav>`
}
