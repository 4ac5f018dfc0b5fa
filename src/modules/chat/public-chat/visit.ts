import type { IncomingMessage } from 'node:http'
import { LANGUAGES, type Language } from '../../../platform/contract/languages.ts'
import type { EventStream, StreamOwner } from '../../../platform/event-stream/index.ts'
import { negotiate } from '../../../platform/text/negotiate-language.ts'
import type { UploadRequest } from '../../assets/uploads/index.ts'
import type { PublicChatbot } from './chatbots/index.ts'
import type { ChatCookies } from './cookies.ts'
import { TEXTS, type Texts } from './texts.ts'

/** A request to an address of a chatbot. */
export interface ChatRequest extends UploadRequest {
  publicSlug: string
  query: URLSearchParams
  /** Makes the response a stream. Undefined beyond the limits. */
  openStream(
    owner: StreamOwner,
    headers: Record<string, string | string[]>,
    onClose: () => void,
  ): EventStream | undefined
}

/** What we know about the visitor of a chatbot. Nothing of it has been checked. */
export interface ChatVisit {
  chatbot: PublicChatbot
  request: ChatRequest
  language: Language
  /** The languages of the visitor. Texts of the chatbot can be in some that the page is not available in. */
  accepted: string
  texts: Texts
  /** The widget has no cookies. Its script sends what it keeps in headers. */
  isFrame: boolean
  token: string | undefined
  pass: string | undefined
  /** Whether our script sent it. */
  wants: 'page' | 'json' | 'stream'
  nowMs: number
}

/** Tells requests of the widget from those of the page. A form of another site cannot set it. */
const FRAME_HEADER = 'x-chat-frame'
const TOKEN_HEADER = 'x-chat-token'
const PASS_HEADER = 'x-chat-pass'

export function openVisit(
  chatbot: PublicChatbot,
  request: ChatRequest,
  cookies: ChatCookies,
  nowMs: number,
  options?: { isFrame: boolean },
): ChatVisit {
  const { headers } = request.raw
  const isFrame = options?.isFrame ?? isOfFrame(headers)
  const language = languageOf(request)
  return {
    chatbot,
    request,
    language,
    accepted: acceptedBy(request, language),
    texts: TEXTS[language],
    isFrame,
    token: isFrame ? headerOf(headers, TOKEN_HEADER) : cookies.tokenIn(headers.cookie) || undefined,
    pass: passIn(headers, cookies, isFrame),
    wants: wantedBy(headers),
    nowMs,
  }
}

const isOfFrame = (headers: IncomingMessage['headers']): boolean => headers[FRAME_HEADER] !== undefined

/** The proof that the visitor knows the password. It has not been checked. */
export const passIn = (
  headers: IncomingMessage['headers'],
  cookies: ChatCookies,
  isFrame = isOfFrame(headers),
): string | undefined => (isFrame ? headerOf(headers, PASS_HEADER) : cookies.passIn(headers.cookie))

export const languageOf = ({ query, raw }: Pick<ChatRequest, 'query' | 'raw'>): Language =>
  LANGUAGES.find((language) => language === query.get('lang')) ??
  negotiate(raw.headers['accept-language'], LANGUAGES, 'en')

/**
 * What the browser accepts, unless the visitor has chosen another language than that. All addresses of the chat name the
 * language of the page, which readers of Czech have not chosen if it is English.
 */
function acceptedBy({ raw }: ChatRequest, language: Language): string {
  const accepted = raw.headers['accept-language'] ?? ''
  return negotiate(accepted, LANGUAGES, 'en') === language ? accepted : language
}

export function wantedBy({ accept = '' }: IncomingMessage['headers']): ChatVisit['wants'] {
  if (accept.includes('text/event-stream')) return 'stream'
  return accept.includes('application/json') ? 'json' : 'page'
}

function headerOf(headers: IncomingMessage['headers'], name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
