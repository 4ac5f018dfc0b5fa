import type { ContentLanguage, Language } from '../../../../platform/contract/languages.ts'
import { pagePolicy } from '../../../../platform/http/server/security-headers.ts'
import { NOTICE_POLICY } from '../../../../platform/notices/index.ts'
import {
  HTML_TYPE,
  type PageResponse,
  type RenderedPage,
  respondJson,
  retryAfter,
} from '../../../../platform/pages/index.ts'
import { pageLanguage } from '../../../../platform/text/direction.ts'
import { html } from '../../../../platform/text/html.ts'
import type { SentForm } from '../../../assets/uploads/index.ts'
import type { PublicPage } from '../../published-pages/index.ts'
import { ABOUT_FIELD, RECEIPT_FIELD } from '../form-state.ts'
import { NOTICES, type NoticeKind } from '../notices.ts'
import { fillUrl } from '../rendering/placeholders.ts'
import { problemText } from '../rendering/problem-text.ts'
import type { Languages, PageRequestServices } from '../request-services.ts'
import { signScanContext } from '../scan-context.ts'
import { TEXTS } from '../texts.ts'
import type { SubmitOutcome } from './submit.ts'

type Refused = Extract<SubmitOutcome, { kind: 'refused' }>
type Accepted = Extract<SubmitOutcome, { kind: 'sent' }>

export const respondPage = (
  status: number,
  language: ContentLanguage,
  { body, policy }: RenderedPage,
  headers: Record<string, string> = {},
): PageResponse => ({
  status,
  headers: {
    'content-type': HTML_TYPE,
    'content-language': language,
    'content-security-policy': policy,
    'cache-control': 'no-store',
    // With `no-referrer`, browsers would not say where the next form comes from.
    'referrer-policy': 'strict-origin-when-cross-origin',
    ...headers,
  },
  body,
})

/** A notice in place of a page that does not take forms, or of an answer that we cannot give. */
export function respondNotice(kind: NoticeKind, acceptLanguage: string | undefined, status?: number): PageResponse {
  const { status: usual, language, body } = NOTICES.get(kind, acceptLanguage)
  // Visitors may open a paused page. They cannot send its form.
  const refused = status ?? (usual === 200 ? 409 : usual)
  return respondPage(refused, language, { body: body.plain.bytes.toString(), policy: NOTICE_POLICY })
}

/** Where a visitor goes after sending the form. */
export async function addressAfter(
  pages: PageRequestServices,
  page: PublicPage,
  language: ContentLanguage,
  { scanned, receiptToken }: Accepted,
): Promise<string> {
  const wanted = page.blocks.find((block) => block.type === 'form_submit')?.config.success_url ?? null
  const url = wanted === null ? '' : fillUrl(wanted, await pages.findFacts(page, scanned))
  if (/^https?:\/\//i.test(url)) return url
  const about = scanned === null ? '' : `&${ABOUT_FIELD}=${signScanContext(pages.keyring, page.id, scanned)}`
  return `/p/${page.publicSlug}/sent?lang=${language}${about}&${RECEIPT_FIELD}=${receiptToken}`
}

/** Tells the script what to show, and where. */
export function respondRefusedJson({ status, form, retryAfterSeconds }: Refused, language: Language): PageResponse {
  const { invalid, tooMany, failed } = TEXTS[language].form
  const errors = Object.fromEntries(form.problems.map((problem) => [problem.name, problemText(problem, language)]))
  const message = status === 422 ? invalid : status === 429 ? tooMany : failed
  return respondJson(status, { message, errors }, retryAfter(retryAfterSeconds))
}

/**
 * Keeps what a visitor typed while even the page cannot be loaded: it is in the form, and the button sends it again.
 */
export function respondTypedAgain(
  publicSlug: string,
  { language, interfaceLanguage }: Languages,
  { values }: Pick<SentForm, 'values'>,
): PageResponse {
  const { form, script } = TEXTS[interfaceLanguage]
  const typed = [...values].flatMap(([name, all]) => all.map((value) => ({ name, value })))
  const shown = typed.filter(({ name, value }) => !name.startsWith('_wm_') && value !== '')
  const document = html`<!doctype html>
<html ${pageLanguage(interfaceLanguage)}>
<head>
<meta charset="utf-8">
<title>${form.failed}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
</head>
<body>
<main>
<h1>${form.failed}</h1>
<form method="post" action="/p/${publicSlug}?lang=${language}">
${typed.map(({ name, value }) => html`<input type="hidden" name="${name}" value="${value}">\n`)}<button>${script.retry}</button>
</form>
<dl>${shown.map(({ name, value }) => html`<dt>${name}</dt><dd dir="auto">${value}</dd>\n`)}</dl>
</main>
</body>
</html>
`
  const page = { body: document.toString(), policy: pagePolicy([], "'self'") }
  return respondPage(503, interfaceLanguage, page, retryAfter(5))
}
