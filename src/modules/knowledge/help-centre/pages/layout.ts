import {
  type LanguageLink,
  LIST_STYLE,
  languageSwitch,
  logoImage,
  PAGE_STYLE,
  type ShownThing,
  scannedChip,
  styleTag,
  type Theme,
} from '../../../../platform/look/index.ts'
import { directionOf, pageLanguage } from '../../../../platform/text/direction.ts'
import { fill } from '../../../../platform/text/fill.ts'
import { type Html, html } from '../../../../platform/text/html.ts'
import { languageOf } from '../../../../platform/text/text-language.ts'
import { languageName } from '../formatting.ts'
import { icon } from '../icons.ts'
import type { PageContext } from '../page-context.ts'
import { TEXTS } from '../texts.ts'
import { contactInFooter } from './contact.ts'
import { breadcrumbData, favicon, preview } from './head.ts'
import type { CentreView, SeoLinks } from './view.ts'

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
${preview(context, view)}${breadcrumbData(context, view)}${styleTag(theme.css)}
${styleTag(view.isArticle ? PAGE_STYLE : LIST_STYLE)}
</head>
<body>
<a class="skip" href="#content">${texts.skipToContent}</a>
${missedLanguage(context)}${header(context, view.header, view.languageLinks)}
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
<a class="brand" href="${context.to.home}">${logoImage(context.centre.logoUrl)}${names(context)}</a>
${kind === 'search' && searchForm(context)}
${languageSwitch(context.texts.language, context.language, links)}
</div>${HEADER_END}`

/** What comes before it on a page is escaped, so the first one ends our header. */
const HEADER_END = html`</header>`

/** Adds what a visitor scanned to the header of a page. Undefined if it has none, as a redirect. */
export function addScanned(page: Buffer, thing: ShownThing): Buffer | undefined {
  const at = page.indexOf(HEADER_END.toString())
  const chip = html`<div class="wide">${scannedChip(thing)}</div>\n`
  return at === -1 ? undefined : Buffer.concat([page.subarray(0, at), Buffer.from(`${chip}`), page.subarray(at)])
}

/** Who is behind the help centre, and its own name. One of them is enough if it says the other. */
function names({ centre: { organisationName }, about, interfaceLanguage }: PageContext): Html {
  const name = html`<span${languageOf(about.language, interfaceLanguage)}>${about.name}</span>`
  const saysBoth = about.name.toLowerCase().includes(organisationName.toLowerCase())
  return saysBoth ? name : html`<span><span dir="auto">${organisationName}</span><small>${name}</small></span>`
}

export const searchForm = ({ to, texts }: PageContext, query = ''): Html =>
  html`<form role="search" action="${to.search}"><input type="search" name="q" value="${query}" dir="auto" aria-label="${texts.search}" placeholder="${texts.searchPlaceholder}" maxlength="${QUERY_LENGTH_MAX}" autocomplete="off" enterkeyhint="search"><button aria-label="${texts.search}">${icon('search')}</button></form>`

/** Links to a page in every language of the help centre, so that a reader can always choose another. */
export const languageLinks = ({ languages }: PageContext, pathIn: (language: string) => string): LanguageLink[] =>
  languages.map((language) => ({ language, href: pathIn(language) }))
