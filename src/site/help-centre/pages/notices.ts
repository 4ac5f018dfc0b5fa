import { homePath } from '../../../modules/knowledge/help-centre/index.ts'
import type { Language } from '../../../platform/contract/languages.ts'
import { html, raw } from '../../../platform/text/html.ts'
import type { PageContext } from '../page-context.ts'
import { STYLE } from '../style.ts'
import { TEXTS } from '../texts/index.ts'
import type { Theme } from '../theme.ts'
import { searchForm, type View } from './layout.ts'

/** The "not found" page within an existing help centre. */
export function missingView(context: PageContext): View {
  const { texts, to, at, languages, language } = context
  return {
    title: texts.missing.title,
    main: html`<main class="narrow" id="content" tabindex="-1"><div class="state">
<h1>${texts.missing.title}</h1>
<p>${texts.missing.text}</p>
${searchForm(context)}
<a class="button" href="${to.home}">${texts.home}</a>
</div></main>`,
    header: 'brand',
    languageLinks: languages.map((other) => ({ language: other, path: homePath(at, other) })),
    contentLanguage: language,
  }
}

export type NoticeKind = 'unknown' | 'gone' | 'unavailable' | 'notCounted'

/** Renders the page for a help centre that does not exist or cannot be loaded. */
export function renderNotice(kind: NoticeKind, language: Language, theme: Theme): string {
  const { title, text, retry }: { title: string; text: string; retry?: string } = TEXTS[language][kind]
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${retry && html`<meta http-equiv="refresh" content="5">`}
<link rel="icon" href="data:,">
<style>${raw(STYLE)}</style>
<style>${raw(theme.colors)}</style>
</head>
<body>
<main class="narrow alone"><div class="state">
<h1>${title}</h1>
<p>${text}</p>
${retry && html`<a class="button" href="">${retry}</a>`}
</div></main>
</body>
</html>
`.toString()
}
