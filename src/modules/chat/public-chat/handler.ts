import { hostOf } from '../../../platform/http/server/host.ts'
import { isFromOwnPage } from '../../../platform/http/server/own-page.ts'
import { READ_METHODS } from '../../../platform/http/server/request-handler.ts'
import {
  type PageResponse,
  type RouteResult,
  redirect,
  respondJson,
  retryAfter,
  statusOf,
} from '../../../platform/pages/index.ts'
import { openScan, SCAN_PARAMETER } from '../../codes/scanned-things/index.ts'
import type { PublicChatbot } from './chatbots/index.ts'
import { openVisitorStream, positionIn, postMessage } from './messages/post-message.ts'
import { type NoticeKind, noticeFor } from './notices.ts'
import { renderPassword, renderResume } from './pages/gate.ts'
import { type ChatRequestServices, findVisitorState } from './request-services.ts'
import { respondNotice, respondPage } from './responses.ts'
import { showChat, viewOf } from './show-chat.ts'
import { TEXTS } from './texts.ts'
import { type ChatRequest, type ChatVisit, languageOf, openVisit, wantedBy } from './visit.ts'
import { postAgent, postFeedback, postFile, postNew, postPassword, postResume, postSignal } from './visitor-actions.ts'

type Act = (services: ChatRequestServices, visit: ChatVisit) => Promise<PageResponse | undefined>

interface Action {
  act: Act
  /** False for what a visitor may do before they have entered the password. */
  needsPass: boolean
}

/** What visitors can send, by the last part of the path. */
export const ACTIONS: Readonly<Record<string, Action>> = {
  messages: { act: postMessage, needsPass: true },
  agent: { act: postAgent, needsPass: true },
  feedback: { act: postFeedback, needsPass: true },
  files: { act: postFile, needsPass: true },
  signals: { act: postSignal, needsPass: true },
  new: { act: postNew, needsPass: true },
  password: { act: postPassword, needsPass: false },
  resume: { act: postResume, needsPass: false },
}

const RETRY_SECONDS = 5
const COLOR_SECONDS = 5 * 60
const RESUME_PARAMETER = 'resume'
const TOKEN_LENGTH_MAX = 100

/** Answers requests to chatbots. Undefined if the response is a stream, `not_found` for a domain that sends visitors on. */
export class ChatHandler {
  readonly #services: ChatRequestServices

  constructor(services: ChatRequestServices) {
    this.#services = services
  }

  show(request: ChatRequest): Promise<RouteResult> {
    return this.#visit(request, async (visit) => {
      const { query } = request
      const scan = query.get(SCAN_PARAMETER)
      if (scan !== null) return this.#keepScan(visit, scan)
      const token = query.get(RESUME_PARAMETER)
      if (token !== null && token.length <= TOKEN_LENGTH_MAX) {
        return respondPage(200, visit.language, renderResume(viewOf(this.#services, visit), token))
      }
      return this.#showAdmitted(visit)
    })
  }

  /** The page in the widget. It is the same for everyone until its script says who the visitor is. */
  showFrame(request: ChatRequest): Promise<RouteResult> {
    return this.#visit(request, async (visit) => this.#showAdmitted(visit), { isFrame: true })
  }

  /** The colour of the chatbot, for the widget. It is a script, because other sites may allow nothing else of ours. */
  showColor(request: ChatRequest): Promise<RouteResult> {
    return this.#visit(request, async ({ chatbot }) => ({
      status: 200,
      headers: {
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': `public, max-age=${COLOR_SECONDS}`,
        'cross-origin-resource-policy': 'cross-origin',
        'access-control-allow-origin': '*',
      },
      body: `export default ${JSON.stringify(chatbot.brand.primary_color)}`,
    }))
  }

  /** What happens in the conversation of the visitor, as it happens. */
  stream(request: ChatRequest): Promise<RouteResult> {
    return this.#visit(request, async (visit) => {
      const { chatbot, language, texts } = visit
      const refuse = (status: number, seconds = 0) =>
        respondJson(status, { message: texts.problems.failed }, retryAfter(seconds))
      if (!isFromOwnPage('GET', request.raw.headers)) return refuse(403)
      if (!(await this.#isAdmitted(visit))) return refuse(401)
      const { conversation, token } = await findVisitorState(this.#services, visit)
      if (conversation === undefined || token === undefined) return refuse(404)
      const position = positionIn(request.query, request.raw.headers['last-event-id'])
      const opened = openVisitorStream(this.#services, visit, { chatbot, conversation, token, language }, position)
      if (opened === undefined) return refuse(429, RETRY_SECONDS)
      const running = this.#services.answers.current(conversation.id)
      opened.send('state', { answering: running?.questionId ?? null })
      if (running !== undefined) {
        opened.send('delta', { question: running.questionId, from: 0, text: running.text })
      }
      opened.wake()
      return undefined
    })
  }

  act(request: ChatRequest, { act, needsPass }: Action): Promise<RouteResult> {
    const { headers } = request.raw
    return this.#visit(request, async (visit) => {
      if (!isFromOwnPage('POST', headers)) {
        return visit.wants === 'page'
          ? respondNotice('unavailable', headers['accept-language'], 403)
          : respondJson(403, { message: visit.texts.problems.failed })
      }
      if (needsPass && !(await this.#isAdmitted(visit))) {
        return visit.wants === 'page'
          ? redirect(`/c/${visit.chatbot.publicSlug}?lang=${visit.language}`)
          : respondJson(401, { message: visit.texts.password.text })
      }
      return act(this.#services, visit)
    })
  }

  /** The chat, or the form for the password. */
  async #showAdmitted(visit: ChatVisit): Promise<PageResponse> {
    const services = this.#services
    if (await this.#isAdmitted(visit)) return showChat(services, visit, await findVisitorState(services, visit))
    return respondPage(200, visit.language, renderPassword(viewOf(services, visit), null))
  }

  #isAdmitted({ chatbot, pass, nowMs }: ChatVisit): Promise<boolean> {
    return this.#services.cookies.admits(chatbot, pass, nowMs)
  }

  /** Remembers the scan that led here, and drops it from the address. */
  #keepScan({ chatbot, request: { query }, nowMs }: ChatVisit, signed: string): PageResponse {
    const { cookies, keyring } = this.#services
    const path = `/c/${chatbot.publicSlug}`
    const scan = openScan(keyring, path, signed, nowMs)
    const language = query.get('lang')
    const search = language === null ? '' : `?lang=${encodeURIComponent(language)}`
    return redirect(path + search, scan === undefined ? [] : [cookies.setScan(chatbot, scan, nowMs)])
  }

  async #visit(
    request: ChatRequest,
    work: (visit: ChatVisit) => Promise<PageResponse | undefined>,
    options?: { isFrame: boolean },
  ): Promise<RouteResult> {
    const { cookies, clock, hosts } = this.#services
    try {
      const found = await this.#services.findChatbot(request.publicSlug, request.raw)
      const mayBeSentOn = found === undefined && READ_METHODS.includes(request.raw.method ?? '')
      if (mayBeSentOn && (await hosts.sendsOn({ host: hostOf(request.raw) }))) return 'not_found'
      const notice = noticeFor(found)
      if (notice !== undefined) return this.#refuse(request, notice)
      return await work(openVisit(found as PublicChatbot, request, cookies, clock(), options))
    } catch (error) {
      const status = statusOf(error)
      if (status === undefined) throw error
      return this.#refuse(request, 'unavailable', status)
    }
  }

  #refuse(request: ChatRequest, kind: NoticeKind, status?: number): PageResponse {
    const { headers, loggedAs } = request.raw
    request.raw.loggedAs = { ...loggedAs, error: kind }
    const notice = respondNotice(kind, headers['accept-language'], status)
    if (wantedBy(headers) === 'page') return notice
    const { title } = TEXTS[languageOf(request)].notices[kind]
    return respondJson(notice.status, { message: title }, notice.status === 503 ? retryAfter(RETRY_SECONDS) : {})
  }
}
