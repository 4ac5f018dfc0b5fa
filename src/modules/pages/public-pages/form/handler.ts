import type { IncomingMessage } from 'node:http'
import { QueueFull } from '../../../../platform/bounded/index.ts'
import type { Clock } from '../../../../platform/clock/index.ts'
import { canonicalTag, LANGUAGES } from '../../../../platform/contract/languages.ts'
import { DatabaseUnavailable } from '../../../../platform/db/failures.ts'
import { isFromOwnPage } from '../../../../platform/http/server/own-page.ts'
import { type PageResponse, redirect, respondJson, retryAfter, statusOf } from '../../../../platform/pages/index.ts'
import { interfaceLanguageFor } from '../../../../platform/text/interface-language.ts'
import { negotiate } from '../../../../platform/text/negotiate-language.ts'
import type { FileProblem, UploadRequest } from '../../../assets/uploads/index.ts'
import type { PublicPage } from '../../published-pages/index.ts'
import { PageGone, receiptPath } from '../../submissions/index.ts'
import type { FormState } from '../form-state.ts'
import { type NoticeKind, noticeFor } from '../notices.ts'
import { problemText } from '../rendering/problem-text.ts'
import type { Languages } from '../request-services.ts'
import { TEXTS } from '../texts.ts'
import { mediaFields } from './media-fields.ts'
import { addressAfter, respondNotice, respondPage, respondRefusedJson, respondTypedAgain } from './responses.ts'
import { type SubmitOutcome, type SubmitServices, submitForm } from './submit.ts'

export interface FormServices extends SubmitServices {
  clock: Clock
}

/** A request to the address of a page. */
export interface FormRequest extends UploadRequest {
  publicSlug: string
  query: URLSearchParams
}

const MIB = 1024 * 1024
const RETRY_SECONDS = 5

/** Answers what visitors send to a page. */
export class FormHandler {
  readonly #services: FormServices

  constructor(services: FormServices) {
    this.#services = services
  }

  /** Work for a browser to do before it sends the form. Costs us nothing, so it has no limit. */
  challenge(publicSlug: string): PageResponse {
    const { proofs, clock } = this.#services
    return respondJson(200, proofs.challenge(publicSlug, clock()))
  }

  async receiveForm(request: FormRequest): Promise<PageResponse> {
    const { headers } = request.raw
    if (!isFromOwnPage('POST', headers)) return respondNotice('unavailable', headers['accept-language'], 403)
    let page: PublicPage | undefined
    try {
      const found = await this.#services.pages.findPage(request.publicSlug, request.raw)
      const notice = noticeFor(found)
      if (notice !== undefined) return this.#refuse(request, notice)
      page = found as PublicPage
      return await this.#submit(request, page)
    } catch (error) {
      if (error instanceof PageGone) return this.#refuse(request, 'gone')
      if (page !== undefined) return this.#answerUnreadable(request, page, error)
      if (!(error instanceof DatabaseUnavailable)) throw error
      return this.#keepTyped(request)
    }
  }

  async #submit(request: FormRequest, page: PublicPage): Promise<PageResponse> {
    const { pages, clock } = this.#services
    const languages = this.#languagesOf(request, page)
    const { language, interfaceLanguage } = languages
    const byScript = wantsJson(request.raw)
    const nowMs = clock()
    const outcome = await submitForm(this.#services, { page, sender: request, ...languages, byScript, nowMs })
    if (outcome.kind === 'proof_needed')
      return respondJson(428, this.#services.proofs.challenge(page.publicSlug, nowMs))
    if (outcome.kind === 'sent') {
      const location = await addressAfter(pages, page, language, outcome)
      if (byScript)
        return respondJson(200, { sent: true, redirect: location, receipt: receiptPath(outcome.receiptToken) })
      return redirect(location)
    }
    return byScript ? respondRefusedJson(outcome, interfaceLanguage) : this.#showAgain(page, languages, outcome)
  }

  /** Receives one file, before the form is sent. The body is the file itself. */
  async receiveFile(request: FormRequest): Promise<PageResponse> {
    const { headers } = request.raw
    const { pages, clock, uploads, reader, store, tokens } = this.#services
    const fallbackTexts = TEXTS[languagesOf(request).interfaceLanguage].form
    if (!isFromOwnPage('POST', headers)) return respondJson(403, { message: fallbackTexts.failed })
    try {
      const page = await pages.findPage(request.publicSlug, request.raw)
      if (noticeFor(page) !== undefined) return respondJson(404, { message: fallbackTexts.failed })
      const { page: found, interfaceLanguage } = {
        page: page as PublicPage,
        interfaceLanguage: this.#languagesOf(request, page as PublicPage).interfaceLanguage,
      }
      const texts = TEXTS[interfaceLanguage].form
      const field = request.query.get('field') ?? ''
      const config = mediaFields(found).get(field)
      if (config === undefined) return respondJson(404, { message: texts.failed })
      const refuse = (status: number, problem: FileProblem) =>
        respondJson(status, { message: problemText(problem, interfaceLanguage) })
      const length = Number(headers['content-length'])
      const bytesMax = config.max_size_mb * MIB
      if (length > bytesMax) return refuse(413, { problem: 'file_too_large', limit: config.max_size_mb })
      if (headers['content-type']?.startsWith('image/')) store.requireRoomForImage(found)
      const nowMs = clock()
      const retryAfterSeconds = await uploads.admit(found, request.address, length || bytesMax, nowMs)
      if (retryAfterSeconds > 0) return respondJson(429, { message: texts.tooMany }, retryAfter(retryAfterSeconds))
      const { file, release } = await reader.readFile(request, found, bytesMax)
      try {
        const stored = await store.store(found, config, file, request.query.get('name') ?? '', nowMs)
        if ('problem' in stored) return refuse(422, stored)
        return respondJson(200, { token: tokens.seal(found, field, stored, nowMs), name: stored.file_name })
      } finally {
        await release()
      }
    } catch (error) {
      const status = statusOf(error)
      if (status === undefined) this.#services.log.error({ err: error }, 'a file of a form failed')
      return respondJson(
        status ?? 500,
        { message: fallbackTexts.failed },
        status === 503 ? retryAfter(RETRY_SECONDS) : {},
      )
    }
  }

  #languagesOf({ query, raw }: FormRequest, page: PublicPage): Languages {
    return this.#services.pages.chooseLanguages(page, query.get('lang') ?? undefined, raw.headers['accept-language'])
  }

  /** Answers for a page that takes no forms. */
  #refuse(request: FormRequest, kind: NoticeKind): PageResponse {
    const { raw } = request
    raw.loggedAs = { ...raw.loggedAs, error: kind }
    const notice = respondNotice(kind, raw.headers['accept-language'])
    return wantsJson(raw)
      ? respondJson(notice.status, {
          message: TEXTS[languagesOf(request).interfaceLanguage].notices[kind].title,
          errors: {},
        })
      : notice
  }

  async #showAgain(page: PublicPage, languages: Languages, outcome: Refused): Promise<PageResponse> {
    const { pages } = this.#services
    const { status, scanned, form, retryAfterSeconds } = outcome
    const facts = await pages.findFacts(page, scanned)
    const rendered = await pages.renderPage(page, { ...languages, scanned, facts, form })
    return respondPage(status, languages.language, rendered, retryAfter(retryAfterSeconds))
  }

  /** Answers a form of which nothing could be read: it is too large, too slow or malformed, or there are too many. */
  async #answerUnreadable(request: FormRequest, page: PublicPage, error: unknown): Promise<PageResponse> {
    const status = statusOf(error)
    if (status === undefined) throw error
    const languages = this.#languagesOf(request, page)
    const { failed } = TEXTS[languages.interfaceLanguage].form
    if (wantsJson(request.raw)) return respondJson(status, { message: failed, errors: {} })
    // Not rendered again: the main thread may be what they wait for.
    if (error instanceof QueueFull) return respondNotice('unavailable', request.raw.headers['accept-language'], status)
    const media = status === 413 ? [...mediaFields(page)] : []
    const problems = media.map(([name, { max_size_mb: limit }]) => ({
      name,
      problem: 'file_too_large' as const,
      limit,
    }))
    const form: FormState = {
      answers: new Map(),
      problems,
      files: new Map(),
      message: problems.length > 0 ? 'invalid' : 'failed',
    }
    const shown = { ...languages, scanned: null, facts: new Map<string, string>(), form }
    return respondPage(status, languages.language, await this.#services.pages.renderPage(page, shown))
  }

  /** While the database is away, and the page is not in memory. */
  async #keepTyped(request: FormRequest): Promise<PageResponse> {
    const languages = languagesOf(request)
    const { failed } = TEXTS[languages.interfaceLanguage].form
    if (wantsJson(request.raw)) return respondJson(503, { message: failed, errors: {} })
    const form = await this.#services.reader.read(request, undefined, { keepsFiles: false })
    await form.release()
    return respondTypedAgain(request.publicSlug, languages, form)
  }
}

type Refused = Extract<SubmitOutcome, { kind: 'refused' }>

const wantsJson = ({ headers }: IncomingMessage): boolean => headers.accept?.includes('application/json') === true

/** While the page is not known: the language of the address, which the page may have. */
function languagesOf({ query, raw }: FormRequest): Languages {
  const language = canonicalTag(query.get('lang') ?? '')
  const ofAddress = language === undefined ? undefined : interfaceLanguageFor(language)
  const interfaceLanguage = ofAddress ?? negotiate(raw.headers['accept-language'], LANGUAGES, 'en')
  return { language: language ?? interfaceLanguage, interfaceLanguage }
}
