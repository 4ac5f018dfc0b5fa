import { LANGUAGES } from '../../../../platform/contract/languages.ts'
import { COMMON_STYLE, NO_BRAND, readStyle, SCANNED_STYLE, styleTag, Themes } from '../../../../platform/look/index.ts'
import { NOTICE_POLICY, type NoticeSender, senderBlock } from '../../../../platform/notices/index.ts'
import { pageLanguage } from '../../../../platform/text/direction.ts'
import { fill } from '../../../../platform/text/fill.ts'
import { type Html, html } from '../../../../platform/text/html.ts'
import { negotiate } from '../../../../platform/text/negotiate-language.ts'
import { LINKSET_TYPE } from './link-request.ts'
import { AcceptedTypes } from './media-types.ts'
import { isSameScope, type LinkScope, type OfferedLink } from './offered-links.ts'
import { TEXTS, type Texts } from './texts.ts'

const PAGE_TYPE = 'text/html'
const THEMES = new Themes(
  ['page', 'card', 'text', 'muted', 'line', 'sign'],
  COMMON_STYLE + SCANNED_STYLE + readStyle(import.meta.url, 'linkset.css'),
)

/** Whether a client that asks for all links is a person with a browser. A program names the format that it reads. */
export function prefersPage(accept: string | undefined): boolean {
  if (!accept?.includes(PAGE_TYPE)) return false
  const types = new AcceptedTypes(accept)
  const programs = [LINKSET_TYPE, 'application/json'].filter((type) => types.names(type))
  return types.names(PAGE_TYPE) && programs.every((type) => types.weightOf(type) < types.weightOf(PAGE_TYPE))
}

interface LinksetPage {
  body: Buffer
  headers: string[]
}

/** All links of what was scanned, for a person: the most specific first. */
export function renderLinksetPage(
  links: readonly OfferedLink[],
  hrefOf: (link: OfferedLink) => string,
  acceptLanguage: string | undefined,
  sender: NoticeSender | undefined,
): LinksetPage {
  const language = negotiate(acceptLanguage, LANGUAGES, 'en')
  const texts = TEXTS[language]
  const names = new Intl.DisplayNames([language], { type: 'language' })
  const scopes = links.filter((link, at) => links.findIndex((other) => isSameScope(link, other)) === at)
  const toItem = (link: OfferedLink): Html => {
    const href = hrefOf(link)
    const details = [
      new URL(href).hostname,
      link.language && names.of(link.language),
      link.mediaType !== PAGE_TYPE && link.mediaType,
    ]
    return html`<li><a href="${href}"><b dir="auto">${link.title}</b><small dir="auto">${details.filter(Boolean).join(' · ')}</small></a></li>`
  }
  const body = html`<!doctype html>
<html ${pageLanguage(language)}>
<head>
<meta charset="utf-8">
<title>${texts.title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
${styleTag(THEMES.get(sender?.brand ?? NO_BRAND).css)}
</head>
<body>
<main>
${sender && senderBlock(sender)}
<h1>${texts.title}</h1>
${scopes.map((scope) => html`${headingOf(scope, texts)}<ul>${links.filter((link) => isSameScope(link, scope)).map(toItem)}</ul>\n`)}
</main>
</body>
</html>
`.toString()
  const headers = [
    'content-security-policy',
    NOTICE_POLICY,
    'referrer-policy',
    'no-referrer',
    'content-language',
    language,
  ]
  return { body: Buffer.from(body), headers }
}

const headingOf = ({ lot, serial }: LinkScope, texts: Texts): Html | false => {
  if (serial !== null) return html`<h2>${fill(texts.serial, { serial })}</h2>`
  return lot !== null && html`<h2>${fill(texts.lot, { lot })}</h2>`
}
