import { html } from '../../../../platform/text/html.ts'
import { languageOf } from '../../../../platform/text/text-language.ts'
import {
  type Category,
  type CategoryItem,
  categoryPath,
  type ItemPage,
  listPath,
  type PublicArticleItem,
} from '../../public-articles/index.ts'
import { icon } from '../icons.ts'
import type { PageContext } from '../page-context.ts'
import { inEveryLanguage } from './home.ts'
import { articleList, breadcrumb, categoryCards, emptyState, excerpt, pageLinks } from './lists.ts'
import type { CentreView } from './view.ts'

const DESCRIPTION_LENGTH_MAX = 300

interface Contents {
  categories: ItemPage<CategoryItem>
  articles: ItemPage<PublicArticleItem>
  /** A query string such as `after=…`; empty for the first page. */
  position: string
}

export function categoryView(
  context: PageContext,
  category: Category,
  { categories, articles, position }: Contents,
): CentreView {
  const { texts, to, interfaceLanguage } = context
  const own = languageOf(category.language, interfaceLanguage)
  const isEmpty = categories.items.length === 0 && articles.items.length === 0
  const main = html`<main class="wide" id="content" tabindex="-1">
${breadcrumb(context, crumbsTo(context, category))}
<div class="head"><span class="badge">${icon(category.icon)}</span><h1${own}>${category.name}</h1></div>
${category.description && html`<p class="lead"${own}>${category.description}</p>`}
${
  categories.items.length > 0 &&
  html`<section><h2>${texts.topics}</h2>${categoryCards(context, categories.items)}${
    categories.next !== undefined &&
    html`<a class="more" href="${to.categories}?in=${category.slug}">${texts.allTopics}</a>`
  }</section>`
}
${
  articles.items.length > 0 &&
  html`<section><h2>${texts.articles}</h2>${articleList(context, articles.items)}${pageLinks(
    context,
    to.category(category.slug),
    articles,
  )}</section>`
}
${isEmpty && emptyState(texts)}
</main>`
  return {
    title: category.name,
    description: category.description && excerpt(category.description, DESCRIPTION_LENGTH_MAX),
    main,
    trail: category.ancestors,
    header: 'search',
    ...inEveryLanguage(
      context,
      (at, language) => categoryPath(at, category.slug, language) + (position && `?${position}`),
    ),
  }
}

/** The ancestors of a category, without the category itself. */
const crumbsTo = ({ to, interfaceLanguage: language }: PageContext, { ancestors, isDeeper }: Category) => [
  ...(isDeeper ? [{ name: '…', language, path: undefined }] : []),
  ...ancestors.map(({ name, language, slug }) => ({ name, language, path: to.category(slug) })),
]

export const crumbsInto = (context: PageContext, category: Category) => [
  ...crumbsTo(context, category),
  { name: category.name, language: category.language, path: context.to.category(category.slug) },
]

/** Lists all categories of one level, which other pages show only the first of. */
export function categoriesView(
  context: PageContext,
  parent: Category | undefined,
  categories: ItemPage<CategoryItem>,
  position: string,
): CentreView {
  const { texts, to } = context
  const parentParam = parent === undefined ? '' : `in=${parent.slug}&`
  const query = `${parentParam}${position}`.replace(/&$/, '')
  const main = html`<main class="wide" id="content" tabindex="-1">
${breadcrumb(context, parent === undefined ? [] : crumbsInto(context, parent))}
<h1>${texts.allTopics}</h1>
<section>${
    categories.items.length > 0 ? categoryCards(context, categories.items) : emptyState(texts)
  }${pageLinks(context, to.categories, categories, parentParam)}</section>
</main>`
  return {
    title: texts.allTopics,
    main,
    trail: parent === undefined ? [] : [...parent.ancestors, parent],
    header: 'search',
    ...inEveryLanguage(context, (at, language) => listPath(at, 'categories', language) + (query && `?${query}`)),
  }
}

/** Lists all articles, most recently updated first. */
export function articlesView(
  context: PageContext,
  articles: ItemPage<PublicArticleItem>,
  position: string,
): CentreView {
  const { texts, to } = context
  const main = html`<main class="wide" id="content" tabindex="-1">
${breadcrumb(context, [])}
<h1>${texts.allArticles}</h1>
<section>${
    articles.items.length > 0 ? articleList(context, articles.items) : emptyState(texts)
  }${pageLinks(context, to.articles, articles)}</section>
</main>`
  return {
    title: texts.allArticles,
    main,
    trail: [],
    header: 'search',
    ...inEveryLanguage(context, (at, language) => listPath(at, 'articles', language) + (position && `?${position}`)),
  }
}
