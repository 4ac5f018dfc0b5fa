import type { Language } from '../../../../platform/contract/languages.ts'
import { LIST_STYLE, logoImage, styleTag, type Theme } from '../../../../platform/look/index.ts'
import { illustrate, type Scene } from '../../../../platform/notices/index.ts'
import { pageLanguage } from '../../../../platform/text/direction.ts'
import { html } from '../../../../platform/text/html.ts'
import { type Centre, homePath } from '../../public-articles/index.ts'
import type { PageContext } from '../page-context.ts'
import { TEXTS } from '../texts.ts'
import { contactBlock } from './contact.ts'
import { favicon } from './head.ts'
import { languageLinks, searchForm } from './layout.ts'
import type { CentreView } from './view.ts'

/** The "not found" page within an existing help centre. */
export function missingView(context: PageContext): CentreView {
  const { centre, texts, to, at } = context
  return {
    title: texts.missing.title,
    main: html`<main class="narrow" id="content" tabindex="-1"><div class="state">
${illustrate('not_found')}
<h1>${texts.missing.title}</h1>
<p>${texts.missing.text}</p>
${searchForm(context)}
<a class="button" href="${to.home}">${texts.home}</a>
${contactBlock(centre, texts)}
</div></main>`,
    header: 'brand',
    languageLinks: languageLinks(context, (other) => homePath(at, other)),
  }
}

export type NoticeKind = 'unknown' | 'gone' | 'unavailable' | 'notCounted'

const SCENES: Record<NoticeKind, Scene> = {
  unknown: 'unknown',
  gone: 'gone',
  unavailable: 'unavailable',
  notCounted: 'paused',
}

/** Renders the page for a help centre that does not exist or cannot be loaded. It has the contact if the centre is known. */
export function renderNotice(kind: NoticeKind, language: Language, theme: Theme, centre: Centre | undefined): string {
  const texts = TEXTS[language]
  const { title, text, retry }: { title: string; text: string; retry?: string } = texts[kind]
  return html`<!doctype html>
<html ${pageLanguage(language)}>
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${retry && html`<meta http-equiv="refresh" content="5">`}
${favicon(centre)}
${styleTag(theme.css)}
${styleTag(LIST_STYLE)}
</head>
<body>
${centre && html`<header class="top"><div class="wide"><span class="brand">${logoImage(centre.logoUrl)}<span dir="auto">${centre.organisationName}</span></span></div></header>`}
<main class="narrow alone"><div class="state">
${illustrate(SCENES[kind])}
<h1>${title}</h1>
<p>${text}</p>
${retry && html`<a class="button" href="">${retry}</a>`}
${centre && contactBlock(centre, texts)}
</div></main>
</body>
</html>
`.toString()
}
