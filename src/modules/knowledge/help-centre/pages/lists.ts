import { illustrate } from '../../../../platform/notices/index.ts'
import { fill } from '../../../../platform/text/fill.ts'
import { type Html, html } from '../../../../platform/text/html.ts'
import { pluralForm } from '../../../../platform/text/plural.ts'
import { languageOf } from '../../../../platform/text/text-language.ts'
import type { CategoryItem, ItemPage, PublicArticleItem } from '../../public-articles/index.ts'
import { formatNumber, languageName } from '../formatting.ts'
import { defineIcons, repeatedIcon } from '../icons.ts'
import type { PageContext } from '../page-context.ts'
import type { Texts } from '../texts.ts'

const DESCRIPTION_LENGTH_MAX = 140

/** Shortens a text, at a space if there is one in the second half. */
export function excerpt(text: string, lengthMax: number): string {
  const oneLine = text.replace(/\s+/g, ' ').trim()
  if (oneLine.length <= lengthMax) return oneLine
  const cut = oneLine.slice(0, lengthMax)
  const space = cut.lastIndexOf(' ')
  return `${(space > lengthMax / 2 ? cut.slice(0, space) : cut).toWellFormed().replace(/\uFFFD$/, '')}…`
}

export const emptyState = ({ empty }: Texts): Html =>
  html`<div class="state">${illustrate('not_set_up')}<p>${empty}</p></div>`

export const categoryCards = (context: PageContext, categories: readonly CategoryItem[]): Html =>
  html`${defineIcons(categories.map((category) => category.icon))}<ul class="cards">${categories.map((category) => categoryCard(context, category))}</ul>`

const categoryCard = (context: PageContext, category: CategoryItem): Html => {
  const { slug, name, description, articleCount } = category
  return html`<li class="card"><span class="badge">${repeatedIcon(category.icon)}</span><div${languageOf(category.language, context.interfaceLanguage)}><h3><a href="${context.to.category(
    slug,
  )}">${name}</a></h3>${description && html`<p>${excerpt(description, DESCRIPTION_LENGTH_MAX)}</p>`}${
    articleCount > 0 && html`<p lang="${context.interfaceLanguage}">${count(context, category)}</p>`
  }</div></li>`
}

function count({ texts, interfaceLanguage: language }: PageContext, { articleCount, isMore }: CategoryItem): string {
  const n = `${formatNumber(articleCount, language)}${isMore ? '+' : ''}`
  return fill(pluralForm(texts.articleCount, articleCount, language), { n })
}

/** Names the language of each article that is not available in the reader's language. */
export const articleList = (
  { to, language, interfaceLanguage }: PageContext,
  articles: readonly PublicArticleItem[],
): Html =>
  html`<ul class="list">${articles.map(
    (article) =>
      html`<li><a href="${to.article(article.slug)}"><span${languageOf(article.language, interfaceLanguage)}>${article.title}</span>${
        article.language !== language && html`<small>${languageName(article.language, interfaceLanguage)}</small>`
      }</a></li>`,
  )}</ul>`

export function pageLinks(
  { texts }: PageContext,
  path: string,
  { previous, next }: ItemPage<unknown>,
  params = '',
): Html | false {
  if (previous === undefined && next === undefined) return false
  return html`<nav class="pages" aria-label="${texts.pages}">${
    previous !== undefined && html`<a rel="prev" href="${path}?${params}before=${previous}">${texts.previous}</a>`
  }${next !== undefined && html`<a class="next" rel="next" href="${path}?${params}after=${next}">${texts.next}</a>`}</nav>`
}

interface Crumb {
  name: string
  language: string
  path: string | undefined
}

export const breadcrumb = ({ texts, to, interfaceLanguage }: PageContext, crumbs: readonly Crumb[]): Html =>
  html`<nav class="trail" aria-label="${texts.breadcrumb}"><ol><li><a href="${to.home}">${texts.home}</a></li>${crumbs.map(
    ({ name, language, path }) =>
      html`<li>${
        path === undefined
          ? html`<span dir="auto">${name}</span>`
          : html`<a href="${path}"${languageOf(language, interfaceLanguage)}>${name}</a>`
      }</li>`,
  )}</ol></nav>`
