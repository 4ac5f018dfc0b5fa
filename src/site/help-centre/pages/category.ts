import {
  type ArticleItem,
  type Category,
  type CategoryItem,
  categoryPath,
  homePath,
  type Page,
} from '../../../modules/knowledge/help-centre/index.ts'
import { html } from '../../../platform/text/html.ts'
import { icon } from '../icons.ts'
import type { Reading } from '../reading.ts'
import { inEveryLanguage } from './home.ts'
import type { View } from './layout.ts'
import { articleList, breadcrumb, categoryCards, excerpt, pageLinks } from './lists.ts'

const DESCRIPTION_LENGTH_MAX = 300

interface Contents {
  categories: Page<CategoryItem>
  articles: Page<ArticleItem>
  /** How the page was asked for, unless it is the first: `after=…`. */
  position: string
}

export function categoryView(reading: Reading, category: Category, { categories, articles, position }: Contents): View {
  const { texts, to } = reading
  const isEmpty = categories.items.length === 0 && articles.items.length === 0
  const main = html`<main class="wide" id="content" tabindex="-1">
${breadcrumb(reading, crumbsTo(reading, category))}
<div class="head"><span class="badge">${icon(category.icon)}</span><h1 dir="auto">${category.name}</h1></div>
${category.description && html`<p class="lead" dir="auto">${category.description}</p>`}
${
  categories.items.length > 0 &&
  html`<section><h2>${texts.topics}</h2>${categoryCards(reading, categories.items)}${
    categories.next !== undefined &&
    html`<a class="more" href="${to.categories}?in=${category.slug}">${texts.allTopics}</a>`
  }</section>`
}
${
  articles.items.length > 0 &&
  html`<section><h2>${texts.articles}</h2>${articleList(reading, articles.items)}${pageLinks(
    reading,
    to.category(category.slug),
    articles,
  )}</section>`
}
${isEmpty && html`<div class="state"><p>${texts.empty}</p></div>`}
</main>`
  return {
    title: category.name,
    description: category.description && excerpt(category.description, DESCRIPTION_LENGTH_MAX),
    main,
    header: 'search',
    ...inEveryLanguage(
      reading,
      (language) => categoryPath(reading.centre.publicSlug, category.slug, language) + (position && `?${position}`),
    ),
  }
}

/** All that it stands in and, unless it is where the reader is, itself. */
const crumbsTo = ({ to }: Reading, { ancestors, isDeeper }: Category) => [
  ...(isDeeper ? [{ name: '…', path: undefined }] : []),
  ...ancestors.map(({ name, slug }) => ({ name, path: to.category(slug) })),
]

export const crumbsInto = (reading: Reading, category: Category) => [
  ...crumbsTo(reading, category),
  { name: category.name, path: reading.to.category(category.slug) },
]

/** Every category of one level, for where there are too many of them for a page about something else. */
export function categoriesView(
  reading: Reading,
  within: Category | undefined,
  categories: Page<CategoryItem>,
  position: string,
): View {
  const { texts, to, centre } = reading
  const inside = within === undefined ? '' : `in=${within.slug}&`
  const query = `${inside}${position}`.replace(/&$/, '')
  const main = html`<main class="wide" id="content" tabindex="-1">
${breadcrumb(reading, within === undefined ? [] : crumbsInto(reading, within))}
<h1>${texts.allTopics}</h1>
<section>${
    categories.items.length > 0
      ? categoryCards(reading, categories.items)
      : html`<div class="state"><p>${texts.empty}</p></div>`
  }${pageLinks(reading, to.categories, categories, inside)}</section>
</main>`
  return {
    title: texts.allTopics,
    main,
    header: 'search',
    ...inEveryLanguage(
      reading,
      (language) => `${homePath(centre.publicSlug, language)}/categories${query && `?${query}`}`,
    ),
  }
}

/** Every article, the latest first. */
export function articlesView(reading: Reading, articles: Page<ArticleItem>, position: string): View {
  const { texts, to, centre } = reading
  const main = html`<main class="wide" id="content" tabindex="-1">
${breadcrumb(reading, [])}
<h1>${texts.allArticles}</h1>
<section>${
    articles.items.length > 0
      ? articleList(reading, articles.items)
      : html`<div class="state"><p>${texts.empty}</p></div>`
  }${pageLinks(reading, to.articles, articles)}</section>
</main>`
  return {
    title: texts.allArticles,
    main,
    header: 'search',
    ...inEveryLanguage(
      reading,
      (language) => `${homePath(centre.publicSlug, language)}/articles${position && `?${position}`}`,
    ),
  }
}
