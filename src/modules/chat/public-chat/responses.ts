import type { Language } from '../../../platform/contract/languages.ts'
import { NOTICE_POLICY } from '../../../platform/notices/index.ts'
import { HTML_TYPE, type PageResponse, type RenderedPage, retryAfter } from '../../../platform/pages/index.ts'
import { NOTICES, type NoticeKind } from './notices.ts'

export const respondPage = (
  status: number,
  language: Language,
  { body, policy }: RenderedPage,
  headers: PageResponse['headers'] = {},
): PageResponse => ({
  status,
  headers: {
    'content-type': HTML_TYPE,
    'content-language': language,
    'content-security-policy': policy,
    // It has the visitor's own messages.
    'cache-control': 'private, no-store',
    vary: 'accept-language, cookie',
    'x-robots-tag': 'noindex',
    // With `no-referrer`, browsers would not say where a form comes from.
    'referrer-policy': 'same-origin',
    ...headers,
  },
  body,
})

/** Shown in place of a chat that visitors cannot use, or of a response that we cannot give. */
export function respondNotice(kind: NoticeKind, acceptLanguage: string | undefined, status?: number): PageResponse {
  const { status: usual, language, body } = NOTICES.get(kind, acceptLanguage)
  const page = { body: body.plain.bytes.toString(), policy: NOTICE_POLICY }
  return respondPage(status ?? usual, language, page, kind === 'unavailable' ? retryAfter(5) : {})
}
