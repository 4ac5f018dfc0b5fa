import type { Centre } from '../../../modules/knowledge/help-centre/index.ts'
import { type Html, html, raw } from '../../../platform/text/html.ts'
import { icon } from '../icons.ts'
import type { Reading } from '../reading.ts'
import { STYLE } from '../style.ts'
import type { Theme } from '../theme.ts'
import { nameLanguage } from '../wording.ts'

/** A page, as far as it is its own. */
export interface View {
  /** Left out on the page that is called as the help centre is. */
  title?: string
  description?: string | null
  main: Html
  /** The paths that search engines should know it by; left out for what is of no use to them. */
  known?: Known
  /** Left out where the page begins with its own; the search is left out of it where the page has one of its own. */
  header?: 'brand' | 'search'
  /** The same page in each language that it can be read in. */
  switch: { language: string; path: string }[]
  /** Of what is read, where it is not that of the interface. */
  shown?: string
}

interface Known {
  canonical: string
  alternates: { language: string; path: string }[]
  /** For readers whose language is not there. */
  fallback: string
}

export const QUERY_LENGTH_MAX = 200

export function renderPage(reading: Reading, theme: Theme, view: View): string {
  const { centre, language, texts, publicUrl, to } = reading
  const title = view.title === undefined ? centre.name : `${view.title} – ${centre.name}`
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
${view.description && html`<meta name="description" content="${view.description}">\n`}${
  view.known === undefined ? html`<meta name="robots" content="noindex">` : knownAs(view.known, publicUrl)
}
<link rel="alternate" type="application/atom+xml" title="${centre.name}" href="${to.feed}">
<link rel="icon" href="data:,">
<style>${raw(STYLE)}</style>
<style>${raw(theme.colors)}</style>
</head>
<body>
<a class="skip" href="#content">${texts.skip}</a>
${view.header !== undefined && header(reading, view.header)}
${view.main}
<footer><div class="wide"><a class="brand" href="${to.home}" dir="auto">${centre.name}</a>${languageSwitch(reading, view)}</div></footer>
</body>
</html>
`.toString()
}

const knownAs = ({ canonical, alternates, fallback }: Known, publicUrl: string): Html =>
  html`<link rel="canonical" href="${publicUrl}${canonical}">
${alternates.map(
  ({ language, path }) => html`<link rel="alternate" hreflang="${language}" href="${publicUrl}${path}">\n`,
)}<link rel="alternate" hreflang="x-default" href="${publicUrl}${fallback}">`

const header = (reading: Reading, kind: 'brand' | 'search'): Html =>
  html`<header class="top"><div class="wide">
<a class="brand" href="${reading.to.home}">${logo(reading.centre)}<span dir="auto">${reading.centre.name}</span></a>
${kind === 'search' && searchForm(reading)}
</div></header>`

/** Its name stands beside it. Only where it can be reached safely. */
export const logo = ({ logoUrl }: Centre): Html | false =>
  logoUrl !== null && /^https:\/\//i.test(logoUrl) && html`<img src="${logoUrl}" alt="" referrerpolicy="no-referrer">`

export const searchForm = ({ to, texts }: Reading, query = ''): Html =>
  html`<form role="search" action="${to.search}"><input type="search" name="q" value="${query}" dir="auto" aria-label="${texts.search}" placeholder="${texts.question}" maxlength="${QUERY_LENGTH_MAX}" autocomplete="off" enterkeyhint="search"><button aria-label="${texts.search}">${icon('search')}</button></form>`

/** Each language in its own words, for whoever cannot read the others. */
function languageSwitch({ texts }: Reading, { switch: languages, shown }: View): Html | false {
  if (languages.length < 2) return false
  return html`<nav class="languages" aria-label="${texts.language}"><ul>${languages.map(
    ({ language, path }) =>
      html`<li><a href="${path}" lang="${language}" hreflang="${language}"${
        language === shown && raw(' aria-current="true"')
      }>${nameLanguage(language, language as Reading['language'])}</a></li>`,
  )}</ul></nav>`
}
