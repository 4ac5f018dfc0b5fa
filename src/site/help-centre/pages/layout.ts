import type { Centre } from '../../../modules/knowledge/help-centre/index.ts'
import { type Html, html, raw } from '../../../platform/text/html.ts'
import { languageName } from '../formatting.ts'
import { icon } from '../icons.ts'
import type { PageContext } from '../page-context.ts'
import { STYLE } from '../style.ts'
import type { Theme } from '../theme.ts'

/** The parts of a page that differ from other pages. */
export interface View {
  /** Left out on the home page, whose title is the name of the help centre. */
  title?: string
  description?: string | null
  main: Html
  /** Left out for pages that search engines should not index. */
  seo?: SeoLinks
  /** `brand` has no search field, for pages that contain one. Left out where the page has its own header. */
  header?: 'brand' | 'search'
  /** Links to this page in each available language. */
  languageLinks: { language: string; path: string }[]
  /** The language of the content, marked as current in the language switch. */
  contentLanguage?: string
}

/** As URLs: the same page may be shown on several hosts. */
interface SeoLinks {
  canonical: string
  alternates: { language: string; url: string }[]
  /** For readers of any other language. */
  xDefault: string
}

export const QUERY_LENGTH_MAX = 200

export function renderPage(context: PageContext, theme: Theme, view: View): string {
  const { centre, language, texts, to } = context
  const title = view.title === undefined ? centre.name : `${view.title} – ${centre.name}`
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
${view.description && html`<meta name="description" content="${view.description}">\n`}${
  view.seo === undefined ? html`<meta name="robots" content="noindex">` : seoLinks(view.seo)
}
<link rel="alternate" type="application/atom+xml" title="${centre.name}" href="${to.feed}">
<link rel="icon" href="data:,">
<style>${raw(STYLE)}</style>
<style>${raw(theme.colors)}</style>
</head>
<body>
<a class="skip" href="#content">${texts.skipToContent}</a>
${view.header !== undefined && header(context, view.header)}
${view.main}
<footer><div class="wide"><a class="brand" href="${to.home}" dir="auto">${centre.name}</a>${languageSwitch(context, view)}</div></footer>
</body>
</html>
`.toString()
}

const seoLinks = ({ canonical, alternates, xDefault }: SeoLinks): Html =>
  html`<link rel="canonical" href="${canonical}">
${alternates.map(
  ({ language, url }) => html`<link rel="alternate" hreflang="${language}" href="${url}">\n`,
)}<link rel="alternate" hreflang="x-default" href="${xDefault}">`

const header = (context: PageContext, kind: 'brand' | 'search'): Html =>
  html`<header class="top"><div class="wide">
<a class="brand" href="${context.to.home}">${logo(context.centre)}<span dir="auto">${context.centre.name}</span></a>
${kind === 'search' && searchForm(context)}
</div></header>`

/** Shown for `https` URLs only. The `alt` text is empty because the name is shown beside it. */
export const logo = ({ logoUrl }: Centre): Html | false =>
  logoUrl !== null && /^https:\/\//i.test(logoUrl) && html`<img src="${logoUrl}" alt="" referrerpolicy="no-referrer">`

export const searchForm = ({ to, texts }: PageContext, query = ''): Html =>
  html`<form role="search" action="${to.search}"><input type="search" name="q" value="${query}" dir="auto" aria-label="${texts.search}" placeholder="${texts.searchPlaceholder}" maxlength="${QUERY_LENGTH_MAX}" autocomplete="off" enterkeyhint="search"><button aria-label="${texts.search}">${icon('search')}</button></form>`

/** Names each language in that language, so that its readers recognise it. */
function languageSwitch({ texts }: PageContext, { languageLinks, contentLanguage }: View): Html | false {
  if (languageLinks.length < 2) return false
  return html`<nav class="languages" aria-label="${texts.language}"><ul>${languageLinks.map(
    ({ language, path }) =>
      html`<li><a href="${path}" lang="${language}" hreflang="${language}"${
        language === contentLanguage && raw(' aria-current="true"')
      }>${languageName(language, language as PageContext['language'])}</a></li>`,
  )}</ul></nav>`
}
