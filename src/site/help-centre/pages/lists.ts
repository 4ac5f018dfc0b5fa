import type { ArticleItem, CategoryItem, Page } from '../../../modules/knowledge/help-centre/index.ts'
import { type Html, html } from '../../../platform/text/html.ts'
import { icon } from '../icons.ts'
import type { Reading } from '../reading.ts'
import { fill, formFor, nameLanguage, writeNumber } from '../wording.ts'

const DESCRIPTION_LENGTH_MAX = 140

/** Cut at a space where there is one near. */
export function excerpt(text: string, lengthMax: number): string {
  const folded = text.replace(/\s+/g, ' ').trim()
  if (folded.length <= lengthMax) return folded
  const cut = folded.slice(0, lengthMax)
  const space = cut.lastIndexOf(' ')
  return `${(space > lengthMax / 2 ? cut.slice(0, space) : cut).toWellFormed().replace(/\uFFFD$/, '')}…`
}

export const categoryCards = (reading: Reading, categories: readonly CategoryItem[]): Html =>
  html`<ul class="cards">${categories.map((category) => categoryCard(reading, category))}</ul>`

const categoryCard = (reading: Reading, category: CategoryItem): Html => {
  const { slug, name, description, articleCount } = category
  return html`<li class="card"><span class="badge">${icon(category.icon)}</span><div dir="auto"><h3><a href="${reading.to.category(
    slug,
  )}">${name}</a></h3>${description && html`<p>${excerpt(description, DESCRIPTION_LENGTH_MAX)}</p>`}${
    articleCount > 0 && html`<p lang="${reading.language}">${count(reading, category)}</p>`
  }</div></li>`
}

function count({ texts, language }: Reading, { articleCount, isMore }: CategoryItem): string {
  const n = `${writeNumber(articleCount, language)}${isMore ? '+' : ''}`
  return fill(formFor(texts.counted, articleCount, language), { n })
}

/** An article that is not in the reader's language says in which it is. */
export const articleList = ({ to, language }: Reading, articles: readonly ArticleItem[]): Html =>
  html`<ul class="list">${articles.map(
    (article) =>
      html`<li><a href="${to.article(article.slug)}"><span dir="auto"${langOf(article.language, language)}>${article.title}</span>${
        article.language !== language && html`<small>${nameLanguage(article.language, language)}</small>`
      }</a></li>`,
  )}</ul>`

/** Only said where it differs from what surrounds it. */
export const langOf = (own: string, around: string): Html | false => own !== around && html` lang="${own}"`

export function pageLinks(
  { texts }: Reading,
  path: string,
  { previous, next }: Page<unknown>,
  more = '',
): Html | false {
  if (previous === undefined && next === undefined) return false
  return html`<nav class="pages" aria-label="${texts.pages}">${
    previous !== undefined && html`<a rel="prev" href="${path}?${more}before=${previous}">${texts.previous}</a>`
  }${next !== undefined && html`<a class="next" rel="next" href="${path}?${more}after=${next}">${texts.next}</a>`}</nav>`
}

interface Crumb {
  name: string
  path: string | undefined
}

export const breadcrumb = ({ texts, to }: Reading, crumbs: readonly Crumb[]): Html =>
  html`<nav class="trail" aria-label="${texts.breadcrumb}"><ol><li><a href="${to.home}">${texts.home}</a></li>${crumbs.map(
    ({ name, path }) =>
      html`<li>${path === undefined ? html`<span dir="auto">${name}</span>` : html`<a href="${path}" dir="auto">${name}</a>`}</li>`,
  )}</ol></nav>`
