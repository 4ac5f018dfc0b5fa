import { type Html, html, raw } from '../../platform/text/html.ts'
import { GUIDE_FILES, GUIDE_GROUPS } from './guides.ts'
import { contentsOf, frame, guidesNav, renderPage, searchForm, type Titles } from './layout.ts'
import { REFERENCE_PATH } from './reference/operations.ts'
import type { Guide } from './render-guide.ts'
import type { FoundEntry } from './search.ts'

export const titlesOf = (guides: readonly Guide[]): Titles => new Map(guides.map(({ slug, title }) => [slug, title]))

export function startPage(titles: Titles): string {
  const card = (href: string, title: string | undefined, text: string) =>
    html`<li class="card"><div><h3><a href="${href}">${title}</a></h3><p>${text}</p></div></li>`
  const reference = card(REFERENCE_PATH, 'API reference', 'Every operation with its parameters, responses and errors.')
  return renderPage({
    title: 'Waymark documentation',
    description: 'Guides and reference of the Waymark API: QR codes, pages, help centres, chats, webhooks.',
    current: 'guides',
    hasSearch: true,
    body: html`<main class="start" id="content" tabindex="-1"><div class="hero"><div class="wide"><h1>Documentation</h1>
<p>Print a code once, and change where it goes at any time.</p>${searchForm()}</div></div>
<div class="wide">${GUIDE_GROUPS.map(
      ({ name, guides }, at) =>
        html`<section><h2>${name}</h2><ul class="cards">${guides.map(({ slug, about }) =>
          card(`/docs/${slug}`, titles.get(slug), about),
        )}${at === 0 && reference}</ul></section>`,
    )}</div></main>`,
  })
}

export function guidePage(guide: Guide, titles: Titles): string {
  const at = GUIDE_FILES.findIndex(({ slug }) => slug === guide.slug)
  const description = GUIDE_FILES[at]?.about
  const link = (to: number, rel: 'prev' | 'next') => {
    const file = GUIDE_FILES[to]
    return file && html`<a class="${rel}" rel="${rel}" href="/docs/${file.slug}">${titles.get(file.slug)}</a>`
  }
  const main = html`<main id="content" tabindex="-1"><article class="prose"><h1>${guide.title}</h1>
${raw(guide.html)}</article>
<nav class="pages" aria-label="Previous and next guide">${link(at - 1, 'prev')}${link(at + 1, 'next')}</nav></main>`
  return renderPage({
    title: `${guide.title} – Waymark docs`,
    ...(description && { description }),
    current: 'guides',
    body: frame(guidesNav(titles, guide.slug), main, contentsOf(guide)),
  })
}

export function searchPage(query: string, found: readonly FoundEntry[], titles: Titles): string {
  const heading =
    query === ''
      ? 'Search'
      : found.length === 0
        ? `No results for ${query}`
        : `${found.length === 1 ? '1 result' : `${found.length} results`} for ${query}`
  const main = html`<main id="content" tabindex="-1">${searchForm(query)}<h1 class="found" dir="auto">${heading}</h1>
${
  found.length > 0
    ? html`<ol class="hits">${found.map(hit)}</ol>`
    : html`<p class="lead">Try another word, or browse the guides.</p>`
}</main>`
  return renderPage({ title: `${heading} – Waymark docs`, hasSearch: true, body: frame(guidesNav(titles), main) })
}

const hit = ({ href, title, trail, excerpt }: FoundEntry): Html =>
  html`<li><h2><a href="${href}">${title}</a></h2><small>${trail}</small><p>${excerpt.map((piece, at) =>
    at % 2 === 0 ? piece : html`<mark>${piece}</mark>`,
  )}</p></li>`

export const notFoundPage = (titles: Titles): string =>
  renderPage({
    title: 'Page not found – Waymark docs',
    hasSearch: true,
    body: frame(
      guidesNav(titles),
      html`<main id="content" tabindex="-1"><h1>Page not found</h1>
<p class="lead">There is no guide at this address. Search for what you need, or browse the guides.</p>${searchForm()}</main>`,
    ),
  })
