import type { IncomingMessage } from 'node:http'
import { timestamp } from '../../../../platform/clock/index.ts'
import type { ContentLanguage } from '../../../../platform/contract/languages.ts'
import { ConstraintViolation } from '../../../../platform/db/failures.ts'
import type { BodyReader } from '../../../../platform/http/bodies/body-reader.ts'
import { addressBlock } from '../../../../platform/http/server/address-block.ts'
import { hostOf } from '../../../../platform/http/server/host.ts'
import { isFromOwnPage } from '../../../../platform/http/server/own-page.ts'
import { type PageResponse, redirect, retryAfter, statusOf } from '../../../../platform/pages/index.ts'
import type { RateLimiter } from '../../../../platform/rate-limit/index.ts'
import { recordArticleFeedback } from '../../../chat/questions/index.ts'
import { hashVisitor, type VisitorSalt } from '../../../codes/scans/index.ts'
import { articlePath, type Centre, type PublicArticle, parseAddress } from '../../public-articles/index.ts'
import { answerNotice } from '../answer-notice.ts'
import type { CentreRequestServices } from '../centre-visit.ts'
import { findShownCentre } from '../centres.ts'
import { placeOf, textIn } from '../page-address.ts'
import { COMMENT_LENGTH_MAX, FEEDBACK_PATH, THANKS_ID } from '../pages/feedback.ts'
import type { NoticeKind } from '../pages/notices.ts'
import { findKnownArticle } from '../visit.ts'
import { admitVote } from './limits.ts'

export interface FeedbackServices extends CentreRequestServices {
  bodies: BodyReader
  limiter: RateLimiter
  salt: VisitorSalt
  addressOf: (request: IncomingMessage) => string
}

/** A form that a visitor sent from the page of an article. */
export interface SentVote {
  request: IncomingMessage
  publicSlug: string
  /** The path of the article, relative to the address of the knowledge base. */
  path: string
  /** The language of the text that was read, as sent. */
  language: string
  /** Aborted when the visitor has left. */
  signal: AbortSignal
}

/** More than the form has, if each character of a comment is sent as twelve. */
const FORM_BYTES_MAX = 8 * 1024

/** Why a vote cannot be stored. */
class Refused extends Error {
  readonly status: number
  readonly notice: NoticeKind
  readonly retryAfterSeconds: number

  constructor(status: number, notice: NoticeKind = 'notCounted', retryAfterSeconds = 0) {
    super(`the vote is refused with ${status}`)
    this.status = status
    this.notice = notice
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Receives what visitors say about articles. */
export class FeedbackHandler {
  readonly #services: FeedbackServices

  constructor(services: FeedbackServices) {
    this.#services = services
  }

  async receive(sent: SentVote): Promise<PageResponse> {
    try {
      const location = await this.#store(sent)
      return redirect(location)
    } catch (error) {
      const refused = toRefused(error)
      if (refused === undefined) throw error
      return this.#refuse(sent, refused)
    }
  }

  /** Returns the address to continue at. */
  async #store(sent: SentVote): Promise<string> {
    const { database, limiter, salt, addressOf, clock } = this.#services
    const { request } = sent
    if (!isFromOwnPage('POST', request.headers)) throw new Refused(403)
    const { centre, article, pinned } = await this.#findArticle(sent)
    const block = addressBlock(addressOf(request))
    const form = await this.#readForm(sent, block)
    const helpful = form.get('helpful')
    if (helpful !== 'yes' && helpful !== 'no') throw new Refused(400)
    const nowMs = clock()
    const retryAfterSeconds = await admitVote(limiter, centre.orgId, article.id, block, nowMs)
    if (retryAfterSeconds > 0) throw new Refused(429, 'notCounted', retryAfterSeconds)
    const text = textIn(article, sent.language)
    const vote = {
      orgId: centre.orgId,
      articleId: article.id,
      language: text.language,
      title: text.title,
      voteId: hashVisitor(await salt.today(nowMs), centre.orgId, `${block} ${article.id}`, null),
      isHelpful: helpful === 'yes',
      comment: readComment(form),
      now: timestamp(nowMs),
    }
    await database.write((tx) => recordArticleFeedback(tx, vote), centre.orgId)
    const path = articlePath(placeOf(centre, request), article.slug, pinned)
    // One question follows a "No", and has another form.
    return helpful === 'no' && !form.has('comment') ? `${path}/${FEEDBACK_PATH}` : `${path}#${THANKS_ID}`
  }

  async #findArticle({
    request,
    publicSlug,
    path,
  }: SentVote): Promise<{ centre: Centre; article: PublicArticle; pinned: ContentLanguage | undefined }> {
    const services = this.#services
    const centre = await findShownCentre(services, { host: hostOf(request), publicSlug })
    if (centre === 'gone') throw new Refused(410, 'gone')
    if (centre === undefined) throw new Refused(404, 'unknown')
    const { language: pinned, route } = parseAddress(path)
    const article = route.page === 'article' ? await findKnownArticle(services, centre, route.slug) : undefined
    if (article === undefined) throw new Refused(404)
    return { centre, article, pinned }
  }

  async #readForm({ request, signal }: SentVote, block: string): Promise<URLSearchParams> {
    if (Number(request.headers['content-length']) > FORM_BYTES_MAX) throw new Refused(413)
    const body = await this.#services.bodies.read(request, block, () => signal)
    try {
      if (body.content.length > FORM_BYTES_MAX) throw new Refused(413)
      return new URLSearchParams(body.content.toString())
    } finally {
      body.release()
    }
  }

  async #refuse({ request, publicSlug, path }: SentVote, refused: Refused): Promise<PageResponse> {
    const { status, notice, retryAfterSeconds } = refused
    const acceptLanguage = request.headers['accept-language']
    const visit = { host: hostOf(request), publicSlug, path, acceptLanguage, encoding: 'identity' as const }
    const page = await answerNotice(this.#services, visit, notice, status)
    const sentHeaders = [...page.headers, ...page.caching]
    const headers: Record<string, string> = {}
    for (let n = 0; n < sentHeaders.length; n += 2) headers[sentHeaders[n] as string] = sentHeaders[n + 1] as string
    return { status, headers: { ...headers, ...retryAfter(retryAfterSeconds) }, body: page.body }
  }
}

/** Null if the visitor has written nothing. */
function readComment(form: URLSearchParams): string | null {
  const text = (form.get('comment') ?? '')
    .toWellFormed()
    .replaceAll(/[^\P{Cc}\n]/gu, ' ')
    .trim()
  return text === '' ? null : [...text].slice(0, COMMENT_LENGTH_MAX).join('').trim()
}

/** Undefined for a bug. */
function toRefused(error: unknown): Refused | undefined {
  if (error instanceof Refused) return error
  // The article was deleted in the meantime.
  if (error instanceof ConstraintViolation && error.kind === 'foreign_key') return new Refused(404)
  const status = statusOf(error)
  return status === undefined ? undefined : new Refused(status)
}
