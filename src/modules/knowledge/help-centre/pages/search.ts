import { fill } from '../../../../platform/text/fill.ts'
import { type Html, html, raw } from '../../../../platform/text/html.ts'
import { pluralForm } from '../../../../platform/text/plural.ts'
import { languageOf } from '../../../../platform/text/text-language.ts'
import { articlePath, type CategoryItem, listPath } from '../../public-articles/index.ts'
import { formatNumber, languageName } from '../formatting.ts'
import type { PageContext } from '../page-context.ts'
import { contactBlock } from './contact.ts'
import { languageLinks, searchForm } from './layout.ts'
import { categoryCards } from './lists.ts'
import type { CentreView } from './view.ts'

interface FoundArticle {
  slug: string
  language: string
  /** Sanitised HTML with the matches in `<mark>`, as is the snippet. */
  markedTitle: string
  snippet: string
  /** The names of its categories, from the top-level one. */
  path: readonly string[]
  /** The words of the query that only other articles have. */
  missingWords: readonly string[]
}

export interface SearchResult {
  query: string
  /** Whether unknown words were not corrected. */
  isExact: boolean
  /** The query with what was searched for in place of unknown words; undefined if nothing was corrected. */
  corrected: string | undefined
  /** The words of the query that no article has. */
  unknownWords: readonly string[]
  total: number
  hits: readonly FoundArticle[]
  /** Suggested when nothing was found. */
  topics: readonly CategoryItem[]
  page: number
  hasNext: boolean
  /** Whether the hits are in other languages, because there were none in the reader's. */
  isOtherLanguages: boolean
}

/** The result is undefined when the query is empty. */
export function searchView(context: PageContext, result: SearchResult | undefined): CentreView {
  const { texts, at } = context
  const query = result?.query ?? ''
  const heading = result === undefined ? texts.search : headingOf(context, result)
  const queryString = result === undefined ? '' : `?${paramsOf(result)}`
  return {
    title: heading,
    main: html`<main class="narrow" id="content" tabindex="-1">
${searchForm(context, query)}
<h1 class="found" dir="auto">${heading}</h1>
${result !== undefined && result.total > 0 && spelling(context, result)}${result !== undefined && (result.total > 0 ? hits(context, result) : noHits(context, result))}
</main>`,
    header: 'brand',
    languageLinks: languageLinks(context, (other) => `${listPath(at, 'search', other)}${queryString}`),
  }
}

function headingOf(
  { texts, interfaceLanguage: language }: PageContext,
  { query, corrected, total }: SearchResult,
): string {
  if (total === 0) return fill(texts.noResults, { q: query })
  const q = corrected ?? query
  return fill(pluralForm(texts.results, total, language), { n: formatNumber(total, language), q })
}

/** Identifies the search, without its page. */
const paramsOf = ({ query, isExact }: Pick<SearchResult, 'query' | 'isExact'>, more: Record<string, string> = {}) =>
  new URLSearchParams({ q: query, ...(isExact && { exact: '1' }), ...more }).toString()

/** Says what was corrected, with a link to the search as it was typed, and which words no article has. */
const spelling = ({ texts, to }: PageContext, { query, corrected, unknownWords }: SearchResult): Html =>
  html`${
    corrected !== undefined &&
    html`<p class="spelling"><a rel="nofollow" href="${to.search}?${paramsOf({ query, isExact: true })}">${fill(texts.searchAsTyped, { q: query })}</a></p>`
  }${unknownWords.length > 0 && html`<p class="spelling">${fill(texts.unknownWords, { words: unknownWords.join(', ') })}</p>`}`

const hits = (context: PageContext, result: SearchResult): Html => {
  const { texts, language, interfaceLanguage } = context
  return html`${
    result.isOtherLanguages &&
    html`<p class="note">${fill(texts.otherLanguages, { language: languageName(language, interfaceLanguage) })}</p>`
  }<ol class="hits">${result.hits.map(
    (hit) =>
      html`<li${languageOf(hit.language, interfaceLanguage)}>${hit.path.length > 0 && html`<small class="path">${hit.path.join(' › ')}</small>`}<h2><a href="${pathTo(context, hit)}">${raw(hit.markedTitle)}</a></h2><p>${raw(
        hit.snippet,
      )}</p>${
        hit.missingWords.length > 0 &&
        html`<small lang="${interfaceLanguage}">${fill(texts.withoutWords, { words: hit.missingWords.join(', ') })}</small>`
      }${
        hit.language !== language &&
        html`<small lang="${interfaceLanguage}">${languageName(hit.language, interfaceLanguage)}</small>`
      }</li>`,
  )}</ol>${pageLinks(context, result)}`
}

/** Links to the translation that matched, because the one in the reader's language may not contain the words. */
const pathTo = ({ at, language, to }: PageContext, hit: FoundArticle): string =>
  hit.language === language ? to.article(hit.slug) : articlePath(at, hit.slug, hit.language)

const noHits = (context: PageContext, { topics }: SearchResult): Html =>
  html`<p class="lead">${context.texts.searchAdvice}</p>${
    topics.length > 0 && html`<section><h2>${context.texts.topics}</h2>${categoryCards(context, topics)}</section>`
  }${contactBlock(context.centre, context.texts)}`

function pageLinks({ texts, to }: PageContext, result: SearchResult): Html | false {
  const { page, hasNext } = result
  if (page === 1 && !hasNext) return false
  const pathOf = (n: number) => `${to.search}?${paramsOf(result, { page: String(n) })}`
  return html`<nav class="pages" aria-label="${texts.pages}">${
    page > 1 && html`<a rel="prev" href="${pathOf(page - 1)}">${texts.previous}</a>`
  }${hasNext && html`<a class="next" rel="next" href="${pathOf(page + 1)}">${texts.next}</a>`}</nav>`
}
