import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND_MS } from '../../../../platform/clock/index.ts'
import { addressBlock } from '../../../../platform/http/server/address-block.ts'
import { type PageResponse, redirect, respondJson, retryAfter } from '../../../../platform/pages/index.ts'
import { fill } from '../../../../platform/text/fill.ts'
import { collectFiles, firstValue, type SentForm } from '../../../assets/uploads/index.ts'
import { FilesGone, type StoredConversation, type StoredMessage, TooManyFiles } from '../../conversations/index.ts'
import { type AnswerOutcome, TEXT_LENGTH_MAX } from '../../visitor-messages/index.ts'
import { FILES, fileProblem, uploadFieldsOf } from '../files/receive-files.ts'
import { type ChatRequestServices, findVisitorState, type VisitorState } from '../request-services.ts'
import { showChat } from '../show-chat.ts'
import { MESSAGES_SHOWN_MAX, VisitorStream, type WatchedConversation } from '../stream/visitor-stream.ts'
import type { ChatVisit } from '../visit.ts'
import { admitQuestion, proofPlace } from './admit-question.ts'

/** Without scripts, the response waits for the answer. After this, the page loads itself again. */
const WAIT_MS = 20 * SECOND_MS

interface Problem {
  status: number
  text: string
  retryAfterSeconds?: number
}

/** A message that was stored, by this request or by an earlier one with the same key. */
interface Stored {
  message: StoredMessage
  conversation: StoredConversation
  token: string
  /** Whether an answer may cost something. */
  mayCost: boolean
}

/** Stores a message of the visitor and begins to answer it. Undefined if the response is a stream. */
export async function postMessage(services: ChatRequestServices, visit: ChatVisit): Promise<PageResponse | undefined> {
  const { chatbot, request, nowMs } = visit
  const known = await findVisitorState(services, visit)
  const seconds = await services.limits.admitMessage(chatbot, known.conversation?.id, request.address, nowMs)
  const form = await services.reader.read(request, uploadFieldsOf(chatbot), { keepsFiles: seconds === 0 })
  try {
    const stored =
      seconds > 0
        ? { status: 429, text: visit.texts.problems.tooMany, retryAfterSeconds: seconds }
        : await store(services, visit, known, form)
    if (stored === 'proof_needed')
      return respondJson(428, services.proofs.challenge(proofPlace(visit.chatbot), visit.nowMs))
    return 'message' in stored
      ? await answer(services, visit, stored)
      : await refuse(services, visit, known, form, stored)
  } finally {
    await form.release()
  }
}

async function store(
  services: ChatRequestServices,
  visit: ChatVisit,
  known: VisitorState,
  form: SentForm,
): Promise<Stored | Problem | 'proof_needed'> {
  const { chatbot, request, texts, language, nowMs } = visit
  const { problems } = texts
  const questionId = firstValue(form, 'question')
  if (questionId !== '') return findQuestion(services, visit, known, form, questionId)
  const text = firstValue(form, 'text').trim()
  const collected = await collectFiles(services, uploadFieldsOf(chatbot), form, request.address, nowMs)
  const { retryAfterSeconds } = collected
  if (retryAfterSeconds > 0) return { status: 429, text: problems.tooMany, retryAfterSeconds }
  const files = [...collected.files.values()].map(({ token: _, ...file }) => file)
  const wrong = files.length > FILES.max_files ? 'too_many_files' : collected.problems[0]?.problem
  if (wrong !== undefined) return { status: 422, text: fileProblem(wrong, texts) }
  if (text === '' && files.length === 0) return { status: 422, text: problems.empty }
  if ([...text].length > TEXT_LENGTH_MAX) {
    return { status: 422, text: fill(problems.tooLong, { limit: TEXT_LENGTH_MAX }) }
  }
  const mayCost = await admitQuestion(services, visit, known, form)
  if (mayCost === 'proof_needed') return mayCost
  try {
    const writer = { chatbot, token: known.token, scan: known.scan, language }
    const key = firstValue(form, 'key')
    const { result: message, conversation, token } = await services.inbox.addMessage(writer, { text, files, key })
    if (token !== known.token) await services.limits.noteFirst(conversation.id, nowMs)
    return { message, conversation, token, mayCost }
  } catch (error) {
    if (error instanceof FilesGone) return { status: 422, text: problems.fileMissing }
    if (error instanceof TooManyFiles) return { status: 422, text: problems.tooManyInAll }
    throw error
  }
}

/** The page asks again, because an answer was interrupted. */
async function findQuestion(
  services: ChatRequestServices,
  visit: ChatVisit,
  known: VisitorState,
  form: SentForm,
  questionId: string,
): Promise<Stored | Problem | 'proof_needed'> {
  const { conversations, database } = services
  const { conversation, token } = known
  const messages =
    conversation === undefined
      ? []
      : await conversations.listLastMessages(database.read, conversation, MESSAGES_SHOWN_MAX)
  const message = messages.find(({ id, role }) => id === questionId && role === 'user')
  if (conversation === undefined || token === undefined || message === undefined)
    return { status: 404, text: visit.texts.problems.failed }
  const mayCost = await admitQuestion(services, visit, known, form)
  return mayCost === 'proof_needed' ? mayCost : { message, conversation, token, mayCost }
}

async function answer(
  services: ChatRequestServices,
  visit: ChatVisit,
  stored: Stored,
): Promise<PageResponse | undefined> {
  const { chatbot, language, wants } = visit
  const { message, token } = stored
  if (wants === 'stream' && streamAnswer(services, visit, stored)) return undefined
  if (wants !== 'page') {
    void ask(services, visit, stored)
    const { id, role, created_at } = message
    const html = await services.messages.render(chatbot, language, message)
    return respondJson(
      200,
      { ...newToken(visit, token), message: { id, role, created_at, html } },
      cookieOf(services, visit, token),
    )
  }
  await askAndWait(services, visit, stored)
  const { 'set-cookie': cookies = [] } = cookieOf(services, visit, token)
  return redirect(`/c/${chatbot.publicSlug}?lang=${language}#end`, cookies)
}

const ask = (
  services: ChatRequestServices,
  { chatbot }: ChatVisit,
  { message, conversation, token, mayCost }: Stored,
): Promise<AnswerOutcome> => services.answers.ask({ bot: chatbot.bot, conversation, token, question: message, mayCost })

async function askAndWait(services: ChatRequestServices, visit: ChatVisit, stored: Stored): Promise<void> {
  const release = services.live.hold(stored.conversation.id)
  const waiting = new AbortController()
  const { signal } = visit.request
  try {
    const tooLong = sleep(WAIT_MS, undefined, { signal: AbortSignal.any([signal, waiting.signal]) }).catch(() => {})
    await Promise.race([ask(services, visit, stored), tooLong])
  } finally {
    waiting.abort()
    release()
  }
}

/** Returns false if the visitor has too many streams. */
function streamAnswer(services: ChatRequestServices, visit: ChatVisit, stored: Stored): boolean {
  const { conversation, token } = stored
  const { chatbot, language, request } = visit
  const watched = { chatbot, conversation, token, language }
  const opened = openVisitorStream(
    services,
    visit,
    watched,
    positionIn(request.query),
    cookieOf(services, visit, token),
  )
  if (opened === undefined) return false
  const run = async () => {
    for (const [name, value] of Object.entries(newToken(visit, token))) opened.send(name, value)
    await opened.refresh()
    const outcome = await ask(services, visit, stored)
    await opened.refresh()
    opened.send('end', { outcome, question: stored.message.id })
    opened.end()
  }
  void run()
  return true
}

/** Opens a stream for a page of the visitor. Undefined beyond the limits. */
export function openVisitorStream(
  services: ChatRequestServices,
  { request, chatbot }: ChatVisit,
  watched: WatchedConversation,
  position: string | null,
  headers: PageResponse['headers'] = {},
): VisitorStream | undefined {
  const { conversation } = watched
  const owner = { visitor: conversation.id, address: addressBlock(request.address), organisation: chatbot.orgId }
  let unwatch = () => {}
  const stream = request.openStream(owner, headers, () => unwatch())
  if (stream === undefined) return undefined
  const watcher = new VisitorStream(services, watched, stream, position)
  unwatch = services.live.watch(watcher)
  return watcher
}

const MESSAGE_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The id of the last message that the page has. */
export function positionIn(query: URLSearchParams, lastEventId?: string | string[]): string | null {
  const position = typeof lastEventId === 'string' ? lastEventId : (query.get('after') ?? '')
  return MESSAGE_ID.test(position) ? position : null
}

/** In the widget, the script keeps the token. */
const newToken = ({ isFrame, token: before }: ChatVisit, token: string): { token?: string } =>
  isFrame && token !== before ? { token } : {}

export const cookieOf = (
  { cookies }: ChatRequestServices,
  { isFrame, chatbot }: ChatVisit,
  token: string,
): { 'set-cookie'?: string[] } => (isFrame ? {} : { 'set-cookie': [cookies.setToken(chatbot, token)] })

/** What the visitor typed is shown again. */
async function refuse(
  services: ChatRequestServices,
  visit: ChatVisit,
  known: VisitorState,
  form: SentForm,
  { status, text: problem, retryAfterSeconds = 0 }: Problem,
): Promise<PageResponse> {
  const headers = retryAfter(retryAfterSeconds)
  if (visit.wants !== 'page') return respondJson(status, { message: problem }, headers)
  return showChat(services, visit, known, { status, typed: firstValue(form, 'text'), problem, headers })
}
