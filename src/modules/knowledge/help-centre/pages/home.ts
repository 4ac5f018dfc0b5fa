import { html } from '../../../../platform/text/html.ts'
import { languageOf } from '../../../../platform/text/text-language.ts'
import { type CategoryItem, homePath, type ItemPage, type PublicArticleItem } from '../../public-articles/index.ts'
import { canonicalLanguage, type PageContext } from '../page-context.ts'
import { languageLinks, searchForm } from './layout.ts'
import { articleList, categoryCards, emptyState, excerpt } from './lists.ts'
import type { CentreView } from './view.ts'

const DESCRIPTION_LENGTH_MAX = 300

interface Home {
  categories: ItemPage<CategoryItem>
  uncategorised: readonly PublicArticleItem[]
  latest: ItemPage<PublicArticleItem>
}

export function homeView(context: PageContext, { categories, uncategorised, latest }: Home): CentreView {
  const { about, texts, to, interfaceLanguage } = context
  const isEmpty = categories.items.length === 0 && latest.items.length === 0
  const main = html`<section class="hero" aria-labelledby="name"><div class="wide"><h1 id="name"${languageOf(about.language, interfaceLanguage)}>${about.name}</h1>${
    about.description && html`<p${languageOf(about.language, interfaceLanguage)}>${about.description}</p>`
  }${searchForm(context)}</div></section>
<main class="wide" id="content" tabindex="-1">
${
  categories.items.length > 0 &&
  html`<section><h2>${texts.topics}</h2>${categoryCards(context, categories.items)}${
    categories.next !== undefined && html`<a class="more" href="${to.categories}">${texts.allTopics}</a>`
  }</section>`
}
<div class="columns">${
    uncategorised.length > 0 &&
    html`<section><h2>${texts.articles}</h2>${articleList(context, uncategorised)}</section>`
  }${
    latest.items.length > 0 &&
    html`<section><h2>${texts.recentlyUpdated}</h2>${articleList(context, latest.items)}${
      latest.next !== undefined && html`<a class="more" href="${to.articles}">${texts.allArticles}</a>`
    }</section>`
  }</div>
${isEmpty && emptyState(texts)}
</main>`
  return {
    description: about.description && excerpt(about.description, DESCRIPTION_LENGTH_MAX),
    main,
    header: 'brand',
    ...inEveryLanguage(context, homePath),
  }
}

/** The language links of a page that exists in every language of the help centre. */
export function inEveryLanguage(
  context: PageContext,
  pathIn: (at: string, language?: string) => string,
): Required<Pick<CentreView, 'seo' | 'languageLinks'>> {
  const { at, canonicalAt, languages } = context
  return {
    seo: {
      canonical: pathIn(canonicalAt, canonicalLanguage(context)),
      alternates: languages.map((language) => ({ language, url: pathIn(canonicalAt, language) })),
      xDefault: pathIn(canonicalAt),
    },
    languageLinks: languageLinks(context, (language) => pathIn(at, language)),
  }
}
