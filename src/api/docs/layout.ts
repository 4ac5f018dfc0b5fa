import { pagePolicy } from '../../platform/http/server/security-headers.ts'
import { type Html, html } from '../../platform/text/html.ts'
import { GUIDE_GROUPS } from './guides.ts'
import { REFERENCE_PATH } from './reference/operations.ts'
import type { Guide, Section } from './render-guide.ts'
import { QUERY_LENGTH_MAX } from './search.ts'
import { STYLE_PATH } from './style.ts'

/** Allows its style sheet and its icon, and no scripts. Its form is the search. */
export const PAGE_HEADERS = {
  'content-security-policy': pagePolicy(["style-src 'self'", 'img-src data:'], "'self'"),
  'referrer-policy': 'no-referrer',
}

/** A signpost. */
export const ICON =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><path fill='%230f766e' d='M14 3h4v26h-4zM7 6h16l5 4-5 4H7zM25 16H9l-5 4 5 4h16z'/></svg>"

const MAGNIFIER = html`<svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="10.5" cy="10.5" r="6.5"/><path d="m15.5 15.5 5 5"/></svg>`

/** The titles of all guides, by slug. */
export type Titles = ReadonlyMap<string, string>

interface View {
  title: string
  description?: string
  /** Which of the links in the header is this page. */
  current?: 'guides' | 'reference'
  /** Whether the page has its own search field. */
  hasSearch?: true
  body: Html
}

export function renderPage({ title, description, current, hasSearch, body }: View): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
${description ? html`<meta name="description" content="${description}">` : html`<meta name="robots" content="noindex">`}
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${STYLE_PATH}">
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="top"><div class="wide"><nav aria-label="Documentation">${headerLinks(current)}</nav>${hasSearch === undefined && searchForm()}</div></header>
${body}
</body>
</html>
`.toString()
}

export const headerLinks = (current: View['current']): Html => {
  const mark = (name: View['current']) => name === current && html` aria-current="true"`
  return html`<a class="brand" href="/docs">Waymark docs</a><a href="/docs"${mark('guides')}>Guides</a><a href="${REFERENCE_PATH}"${mark('reference')}>API reference</a>`
}

export const searchForm = (query = ''): Html =>
  html`<form role="search" action="/docs/search"><input type="search" name="q" value="${query}" aria-label="Search the documentation" placeholder="Search the documentation" maxlength="${QUERY_LENGTH_MAX}" autocomplete="off" enterkeyhint="search"><button aria-label="Search">${MAGNIFIER}</button></form>`

/** Puts a list of pages beside the main part. */
export const frame = (nav: Html, main: Html, contents?: Html | false): Html =>
  html`<div class="wide frame">
${main}
${nav}
${contents}
</div>`

export const guidesNav = (titles: Titles, slug?: string): Html =>
  html`<nav class="guides" aria-label="Guides"><div>${GUIDE_GROUPS.map(
    ({ name, guides }) =>
      html`<h2>${name}</h2><ul>${guides.map(
        (guide) =>
          html`<li><a href="/docs/${guide.slug}"${guide.slug === slug && html` aria-current="page"`}>${titles.get(guide.slug)}</a></li>`,
      )}</ul>`,
  )}</div></nav>`

const CONTENTS_MIN = 3

export function contentsOf({ sections }: Guide): Html | false {
  const shown = sections.filter(({ level }) => level === 2 || level === 3)
  if (shown.length < CONTENTS_MIN) return false
  const item = ({ id, level, heading }: Section) =>
    html`<li${level === 3 && html` class="inner"`}><a href="#${id}">${heading}</a></li>`
  return html`<nav class="contents" aria-labelledby="contents"><div><h2 id="contents">On this page</h2><ul>${shown.map(item)}</ul></div></nav>`
}
