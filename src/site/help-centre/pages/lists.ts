import type { ArticleItem, CategoryItem, Page } from '../../../modules/knowledge/help-centre/index.ts'
import { type Html, html } from '../../../platform/text/html.ts'
import { fill, formatNumber, languageName, pluralForm } from '../formatting.ts'
import { icon } from '../icons.ts'
import type { PageContext } from '../page-context.ts'

const DESCRIPTION_LENGTH_MAX = 140

/** Shortens a text, at a space if there is one in the second half. */
export function excerpt(text: string, lengthMax: number): string {
  const oneLine = text.replace(/\s+/g, ' ').trim()
  if (oneLine.length <= lengthMax) return oneLine
  const cut = oneLine.slice(0, lengthMax)
  const space = cut.lastIndexOf(' ')
  return `${(space > lengthMax / 2 ? cut.slice(0, space) : cut).toWellFormed().replace(/\uFFFD$/, '')}…`
}

export const categoryCards = (context: PageContext, categories: readonly CategoryItem[]): Html =>
  html`<ul class="cards">${categories.map((category) => categoryCard(context, category))}</ul>`

const categoryCard = (context: PageContext, category: CategoryItem): Html => {
  const { slug, name, description, articleCount } = category
  return html`<li class="card"><span class="badge">${icon(category.icon)}</span><div dir="auto"><h3><a href="${context.to.category(
    slug,
  )}">${name}</a></h3>${description && html`<p>${excerpt(description, DESCRIPTION_LENGTH_MAX)}</p>`}${
    articleCount > 0 && html`<p lang="${context.language}">${count(context, category)}</p>`
  }</div></li>`
}

function count({ texts, language }: PageContext, { articleCount, isMore }: CategoryItem): string {
  const n = `${formatNumber(articleCount, language)}${isMore ? '+' : ''}`
  return fill(pluralForm(texts.articleCount, articleCount, language), { n })
}

/** Names the language of each article that is not available in the reader's language. */
export const articleList = ({ to, language }: PageContext, articles: readonly ArticleItem[]): Html =>
  html`<ul class="list">${articles.map(
    (article) =>
      html`<li><a href="${to.article(article.slug)}"><span dir="auto"${langOf(article.language, language)}>${article.title}</span>${
        article.language !== language && html`<small>${languageName(article.language, language)}</small>`
      }</a></li>`,
  )}</ul>`

/** Returns a `lang` attribute if the language differs from that of the surrounding element. */
export const langOf = (language: string, outer: string): Html | false => language !== outer && html` lang="${language}"`

export function pageLinks(
  { texts }: PageContext,
  path: string,
  { previous, next }: Page<unknown>,
  params = '',
): Html | false {
  if (previous === undefined && next === undefined) return false
  return html`<nav class="pages" aria-label="${texts.pages}">${
    previous !== undefined && html`<a rel="prev" href="${path}?${params}before=${previous}">${texts.previous}</a>`
  }${next !== undefined && html`<a class="next" rel="next" href="${path}?${params}after=${next}">${texts.next}</a>`}</nav>`
}

interface Crumb {
  name: string
  path: string | undefined
}

export const breadcrumb = ({ texts, to }: PageContext, crumbs: readonly Crumb[]): Html =>
  html`<nav class="trail" aria-label="${texts.breadcrumb}"><ol><li><a href="${to.home}">${texts.home}</a></li>${crumbs.map(
    ({ name, path }) =>
      html`<li>${path === undefined ? html`<span dir="auto">${name}</span>` : html`<a href="${path}" dir="auto">${name}</a>`}</li>`,
  )}</ol></nav>`
