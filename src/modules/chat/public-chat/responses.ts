import type { Language } from '../../../platform/contract/languages.ts'
import { NOTICE_POLICY } from '../../../platform/notices/index.ts'
import { HTML_TYPE, type RenderedPage } from '../../../platform/pages/index.ts'
import { NOTICES, type NoticeKind } from './notices.ts'

/** A response, before it is sent. */
export interface ChatResponse {
  status: number
  headers: Record<string, string | string[]>
  body: string
}

type Headers = ChatResponse['headers']

export const respondJson = (status: number, body: object, headers: Headers = {}): ChatResponse => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers },
  body: JSON.stringify(body),
})

export const respondPage = (
  status: number,
  language: Language,
  { body, policy }: RenderedPage,
  headers: Headers = {},
): ChatResponse => ({
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

export const redirect = (location: string, cookies: readonly string[] = []): ChatResponse => ({
  status: 303,
  headers: { location, 'cache-control': 'no-store', ...(cookies.length > 0 && { 'set-cookie': [...cookies] }) },
  body: '',
})

export const retryAfter = (seconds: number): Headers => (seconds > 0 ? { 'retry-after': String(seconds) } : {})

/** Shown in place of a chat that visitors cannot use, or of a response that we cannot give. */
export function respondNotice(kind: NoticeKind, acceptLanguage: string | undefined, status?: number): ChatResponse {
  const { status: usual, language, body } = NOTICES.get(kind, acceptLanguage)
  const page = { body: body.plain.bytes.toString(), policy: NOTICE_POLICY }
  return respondPage(status ?? usual, language, page, kind === 'unavailable' ? retryAfter(5) : {})
}
