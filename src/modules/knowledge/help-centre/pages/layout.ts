import { LIST_STYLE, PAGE_STYLE, styleTag } from '../../../../platform/look/index.ts'
import { directionOf, pageLanguage } from '../../../../platform/text/direction.ts'
import { fill } from '../../../../platform/text/fill.ts'
import { type Html, html } from '../../../../platform/text/html.ts'
import { ownName } from '../../../../platform/text/own-name.ts'
import { languageOf } from '../../../../platform/text/text-language.ts'
import type { Centre } from '../../public-articles/index.ts'
import { languageName } from '../formatting.ts'
import { icon } from '../icons.ts'
import type { PageContext } from '../page-context.ts'
import { TEXTS } from '../texts.ts'
import type { Theme } from '../theme.ts'
import { contactInFooter } from './contact.ts'
import { breadcrumbData, favicon, logoOf, preview } from './head.ts'
import type { CentreView, LanguageLink, SeoLinks } from './view.ts'

export const QUERY_LENGTH_MAX = 200

export function renderPage(context: PageContext, theme: Theme, view: CentreView): string {
  const { centre, about, interfaceLanguage, texts, to } = context
  const title = view.title === undefined ? about.name : `${view.title} – ${about.name}`
  return html`<!doctype html>
<html ${pageLanguage(interfaceLanguage)}>
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
${view.description && html`<meta name="description" content="${view.description}">\n`}${
  view.seo === undefined ? html`<meta name="robots" content="noindex">` : seoLinks(view.seo)
}
<link rel="alternate" type="application/atom+xml" title="${about.name}" href="${to.feed}">
${favicon(centre)}
${preview(context, view)}${breadcrumbData(context, view)}${styleTag(theme.colors)}
${styleTag(view.isArticle ? PAGE_STYLE : LIST_STYLE)}
</head>
<body>
<a class="skip" href="#content">${texts.skipToContent}</a>
${missedLanguage(context)}${view.header !== undefined && header(context, view.header, view.languageLinks)}
${view.main}
<footer><div class="wide"><a class="brand" href="${to.home}"${languageOf(about.language, interfaceLanguage)}>${about.name}</a>${contactInFooter(centre, texts)}</div></footer>
</body>
</html>
`.toString()
}

const seoLinks = ({ canonical, alternates, xDefault }: SeoLinks): Html =>
  html`<link rel="canonical" href="${canonical}">
${alternates.map(
  ({ language, url }) => html`<link rel="alternate" hreflang="${language}" href="${url}">\n`,
)}<link rel="alternate" hreflang="x-default" href="${xDefault}">`

/** Readers who find nothing in their language are told so in it, and not only in one that they may not read. */
const missedLanguage = ({ missed, language }: PageContext): Html | false =>
  missed !== undefined &&
  html`<aside class="missed" lang="${missed}" dir="${directionOf(missed)}">${fill(TEXTS[missed].otherLanguage, {
    shown: languageName(language, missed),
  })}</aside>
`

const header = (context: PageContext, kind: 'brand' | 'search', links: readonly LanguageLink[]): Html =>
  html`<header class="top"><div class="wide">
<a class="brand" href="${context.to.home}">${logo(context.centre)}<span${languageOf(context.about.language, context.interfaceLanguage)}>${context.about.name}</span></a>
${kind === 'search' && searchForm(context)}
${languageSwitch(context, links)}
</div></header>`

/** The `alt` text is empty because the name is shown beside it. */
export function logo(centre: Centre): Html | false {
  const url = logoOf(centre)
  return url !== undefined && html`<img src="${url}" alt="" referrerpolicy="no-referrer">`
}

export const searchForm = ({ to, texts }: PageContext, query = ''): Html =>
  html`<form role="search" action="${to.search}"><input type="search" name="q" value="${query}" dir="auto" aria-label="${texts.search}" placeholder="${texts.searchPlaceholder}" maxlength="${QUERY_LENGTH_MAX}" autocomplete="off" enterkeyhint="search"><button aria-label="${texts.search}">${icon('search')}</button></form>`

/** Links to a page in every language of the help centre, so that a reader can always choose another. */
export const languageLinks = ({ languages }: PageContext, pathIn: (language: string) => string): LanguageLink[] =>
  languages.map((language) => ({ language, path: pathIn(language) }))

/**
 * Names each language in that language, so that its readers recognise it. Left out if there is nothing to choose. The chosen
 * language is marked, even if the page has texts in another one.
 */
export function languageSwitch({ texts, language: chosen }: PageContext, links: readonly LanguageLink[]): Html | false {
  if (links.every(({ language }) => language === chosen)) return false
  return html`<nav class="languages" aria-label="${texts.language}"><details><summary>${icon('globe')}<span lang="${chosen}">${ownName(
    chosen,
  )}</span></summary><ul>${links.map(
    ({ language, path }) =>
      html`<li><a href="${path}" lang="${language}" hreflang="${language}"${
        language === chosen && html` aria-current="true"`
      }>${ownName(language)}</a></li>`,
  )}</ul></details></nav>`
}
