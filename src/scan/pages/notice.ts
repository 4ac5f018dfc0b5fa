import { LANGUAGES, type Language } from '../../platform/contract/languages.ts'
import { FixedBody } from '../../platform/http/fixed-body.ts'
import { pagePolicy } from '../../platform/http/security-headers.ts'
import { html, raw } from '../../platform/text/html.ts'
import { negotiate } from '../../platform/text/negotiate-language.ts'
import { illustrate } from './illustrations.ts'
import { STYLE } from './style.ts'
import { type NoticeKind, TEXTS } from './texts/index.ts'

export type { NoticeKind } from './texts/index.ts'

/** Its style sheet is part of the page, and so is its empty icon. */
export const NOTICE_POLICY = pagePolicy(["style-src 'unsafe-inline'", 'img-src data:'])

const STATUSES: Record<NoticeKind, number> = {
  paused: 200,
  not_set_up: 200,
  unknown: 404,
  not_found: 404,
  gone: 410,
  unavailable: 503,
}

/** Renders the page for a scan that cannot redirect. It loads no resources and runs no scripts. */
export function renderNotice(kind: NoticeKind, language: Language): string {
  const { title, text, owner, retry }: { title: string; text: string; owner?: string; retry?: string } =
    TEXTS[language][kind]
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
${retry && html`<meta http-equiv="refresh" content="5">`}
<link rel="icon" href="data:,">
<style>${raw(STYLE)}</style>
</head>
<body>
<main>
${illustrate(kind)}
<h1>${title}</h1>
<p>${text}</p>
${owner && html`<p>${owner}</p>`}
${retry && html`<a href="">${retry}</a>`}
</main>
</body>
</html>
`.toString()
}

interface NoticePage {
  status: number
  language: Language
  body: FixedBody
}

const pages = new Map<string, NoticePage>()

/** Rendered on first use and cached without a limit: there is only one page per kind and language. */
export function noticePage(kind: NoticeKind, acceptLanguage: string | undefined): NoticePage {
  const language = negotiate(acceptLanguage, LANGUAGES, 'en')
  const key = `${kind} ${language}`
  const cached = pages.get(key)
  if (cached !== undefined) return cached
  const body = new FixedBody(Buffer.from(renderNotice(kind, language)))
  const page = { status: STATUSES[kind], language, body }
  pages.set(key, page)
  return page
}
