import { z } from 'zod'
import { timestamp } from '../../../platform/clock/index.ts'
import type { Language } from '../../../platform/contract/languages.ts'
import { addressBlock } from '../../../platform/http/server/address-block.ts'
import { type PageResponse, redirect, respondJson, retryAfter } from '../../../platform/pages/index.ts'
import { firstValue, type SentForm } from '../../assets/uploads/index.ts'
import type { StoredMessage } from '../conversations/index.ts'
import { recordFeedback } from '../questions/index.ts'
import { textOf } from '../visitor-messages/index.ts'
import { FILES, FILES_FIELD, fileProblem, uploadFieldsOf } from './files/receive-files.ts'
import { cookieOf } from './messages/post-message.ts'
import { renderPassword } from './pages/gate.ts'
import { stateOf } from './pages/state.ts'
import { type ChatRequestServices, findVisitorState } from './request-services.ts'
import { respondPage } from './responses.ts'
import { showChat, viewOf } from './show-chat.ts'
import { MESSAGES_SHOWN_MAX } from './stream/visitor-stream.ts'
import type { ChatVisit } from './visit.ts'

const MIB = 1024 * 1024
const NAME_LENGTH_MAX = 200
const Email = z.email().max(254)

const firstOf = (form: SentForm, name: string): string => firstValue(form, name).trim()

const pathOf = ({ chatbot, language }: ChatVisit, more = ''): string =>
  `/c/${chatbot.publicSlug}?lang=${language}${more}`

async function readForm({ reader }: ChatRequestServices, { request }: ChatVisit): Promise<SentForm> {
  const form = await reader.read(request, undefined, { keepsFiles: false })
  await form.release()
  return form
}

/** The visitor asks for a person. */
export async function postAgent(services: ChatRequestServices, visit: ChatVisit): Promise<PageResponse> {
  const { chatbot, texts, wants, language, request, nowMs } = visit
  const known = await findVisitorState(services, visit)
  const refuse = (status: number, personProblem: string, seconds = 0) =>
    wants === 'page'
      ? showChat(services, visit, known, { status, personProblem, headers: retryAfter(seconds) })
      : respondJson(status, { message: personProblem }, retryAfter(seconds))
  if (!chatbot.humanSupport) return refuse(404, texts.problems.failed)
  const seconds = await services.limits.admitMessage(chatbot, known.conversation?.id, request.address, nowMs)
  const form = await readForm(services, visit)
  if (seconds > 0) return refuse(429, texts.problems.tooMany, seconds)
  const email = firstOf(form, 'contact_email')
  const name = [...firstOf(form, 'contact_name')].slice(0, NAME_LENGTH_MAX).join('')
  if (email !== '' && !Email.safeParse(email).success) return refuse(422, texts.problems.email)
  const writer = { chatbot, token: known.token, scan: known.scan, language }
  const given = { ...(email !== '' && { contact_email: email }), ...(name !== '' && { contact_name: name }) }
  const contact = { ...given, accepted: visit.accepted }
  const sent = { key: firstOf(form, 'key'), address: addressBlock(request.address) }
  const { result, token } = await services.inbox.requestAgent(writer, contact, sent)
  if (token !== known.token) await services.limits.noteFirst(result.id, nowMs)
  const cookie = cookieOf(services, visit, token)
  if (wants === 'page') return redirect(pathOf(visit, '#end'), cookie['set-cookie'])
  const newToken = visit.isFrame && token !== visit.token ? { token } : {}
  return respondJson(200, { ...newToken, ...stateOf(result, texts) }, cookie)
}

/** Opens the chat to a visitor who knows the password. */
export async function postPassword(services: ChatRequestServices, visit: ChatVisit): Promise<PageResponse> {
  const { chatbot, texts, wants, language, request, nowMs } = visit
  const { cookies, hasher, limits } = services
  const refuse = (status: number, problem: 'wrong' | 'tooMany', seconds = 0) =>
    wants === 'page'
      ? respondPage(status, language, renderPassword(viewOf(services, visit), problem), retryAfter(seconds))
      : respondJson(status, { message: texts.password[problem] }, retryAfter(seconds))
  const seconds = await limits.admitPassword(chatbot, request.address, nowMs)
  const form = await readForm(services, visit)
  if (seconds > 0) return refuse(429, 'tooMany', seconds)
  // Not trimmed: a password may begin with a space.
  const password = firstValue(form, 'password')
  const { passwordHash } = chatbot
  const isRight = passwordHash === null || (await hasher.verify(password, passwordHash, addressBlock(request.address)))
  if (!isRight) return refuse(403, 'wrong')
  const pass = cookies.sealPass(chatbot, nowMs)
  if (wants === 'page') return redirect(pathOf(visit), [cookies.setPass(chatbot, pass)])
  return respondJson(
    200,
    visit.isFrame ? { pass } : {},
    visit.isFrame ? {} : { 'set-cookie': cookies.setPass(chatbot, pass) },
  )
}

/** The visitor says whether an answer helped. */
export async function postFeedback(services: ChatRequestServices, visit: ChatVisit): Promise<PageResponse> {
  const { chatbot, texts, wants, language, request, nowMs } = visit
  const { conversations, database } = services
  const seconds = await services.limits.admitSignal(chatbot, request.address, nowMs)
  const form = await readForm(services, visit)
  const refuse = (status: number) =>
    wants === 'page'
      ? redirect(pathOf(visit, '#end'))
      : respondJson(status, { message: texts.problems.failed }, retryAfter(seconds))
  if (seconds > 0) return refuse(429)
  const { conversation } = await findVisitorState(services, visit)
  if (conversation === undefined) return refuse(404)
  const messages = await conversations.listLastMessages(database.read, conversation, MESSAGES_SHOWN_MAX)
  const found = findAnswer(messages, firstOf(form, 'message'))
  if (found === undefined) return refuse(404)
  const isHelpful = firstOf(form, 'helpful') === 'yes'
  const { orgId, id: conversationId } = conversation
  const { answer, question } = found
  const feedback = {
    ...{ orgId, chatbotId: chatbot.id, conversationId, messageId: answer.id, text: textOf(question) },
    // The visitor may have changed the language of the page since.
    language: (answer.metadata.language as Language | undefined) ?? language,
    ...{ isAnswered: answer.metadata.is_answered === true, isHelpful, now: timestamp(nowMs) },
  }
  await database.write((tx) => recordFeedback(tx, feedback), orgId)
  if (wants !== 'page') return respondJson(200, { message: texts.answer.thanks })
  return redirect(pathOf(visit, `&voted=${answer.id}#m-${answer.id}`))
}

/** An answer of the chatbot in the visitor's own conversation, and the question before it. */
function findAnswer(
  messages: readonly StoredMessage[],
  id: string,
): { answer: StoredMessage; question: StoredMessage } | undefined {
  const at = messages.findIndex((message) => message.id === id && 'model' in message.metadata)
  const answer = messages[at]
  const question = messages.slice(0, Math.max(0, at)).findLast(({ role }) => role === 'user')
  return answer && question && { answer, question }
}

/** The visitor is typing, or has seen all messages. */
export async function postSignal(services: ChatRequestServices, visit: ChatVisit): Promise<PageResponse> {
  const { chatbot, texts, request, nowMs } = visit
  const { conversations, database } = services
  const seconds = await services.limits.admitSignal(chatbot, request.address, nowMs)
  const form = await readForm(services, visit)
  if (seconds > 0) return respondJson(429, { message: texts.problems.failed }, retryAfter(seconds))
  const { conversation } = await findVisitorState(services, visit)
  if (conversation === undefined) return respondJson(404, { message: texts.problems.failed })
  const now = timestamp(nowMs)
  const isTyping = firstOf(form, 'signal') === 'typing'
  await database.write(
    (tx) =>
      isTyping
        ? conversations.announceVisitorTyping(tx, conversation)
        : conversations.markReadByVisitor(tx, conversation, now),
    conversation.orgId,
  )
  return respondJson(200, {})
}

/** Continues a conversation with a link from a mail, which works once. */
export async function postResume(services: ChatRequestServices, visit: ChatVisit): Promise<PageResponse> {
  const { chatbot, texts, request, nowMs } = visit
  const { conversations, cookies, database } = services
  const seconds = await services.limits.admitSignal(chatbot, request.address, nowMs)
  const form = await readForm(services, visit)
  const resumed =
    seconds > 0
      ? undefined
      : await database.write(
          (tx) => conversations.redeemResume(tx, chatbot, firstOf(form, 'token'), timestamp(nowMs)),
          chatbot.orgId,
        )
  if (resumed !== undefined) return redirect(pathOf(visit, '#end'), [cookies.setToken(chatbot, resumed.token)])
  const nothing = { conversation: undefined, token: undefined, scan: undefined }
  return showChat(services, visit, nothing, { status: 410, problem: texts.resume.expired })
}

/** Begins again. The old conversation stays with the organisation, but this browser forgets it. */
export const postNew = async ({ cookies }: ChatRequestServices, visit: ChatVisit): Promise<PageResponse> =>
  visit.wants === 'page'
    ? redirect(pathOf(visit), [cookies.clearToken(visit.chatbot)])
    : respondJson(200, {}, visit.isFrame ? {} : { 'set-cookie': cookies.clearToken(visit.chatbot) })

/** Receives one file, before the message is sent. The body is the file itself. */
export async function postFile(services: ChatRequestServices, visit: ChatVisit): Promise<PageResponse> {
  const { chatbot, texts, request, nowMs } = visit
  const { reader, store, tokens, uploads } = services
  const target = uploadFieldsOf(chatbot)
  const bytesMax = FILES.max_size_mb * MIB
  const length = Number(request.raw.headers['content-length'])
  if (length > bytesMax) return respondJson(413, { message: fileProblem('file_too_large', texts) })
  if (request.raw.headers['content-type']?.startsWith('image/')) store.requireRoomForImage(target)
  const seconds = await uploads.admit(target, request.address, length || bytesMax, nowMs)
  if (seconds > 0) return respondJson(429, { message: texts.problems.tooMany }, retryAfter(seconds))
  const { file, release } = await reader.readFile(request, target, bytesMax)
  try {
    const stored = await store.store(target, FILES, file, request.query.get('name') ?? '', nowMs)
    if ('problem' in stored) return respondJson(422, { message: fileProblem(stored.problem, texts) })
    return respondJson(200, { token: tokens.seal(target, FILES_FIELD, stored, nowMs), name: stored.file_name })
  } finally {
    await release()
  }
}
