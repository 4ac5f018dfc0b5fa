import { randomBase62 } from '../../../platform/ids/index.ts'
import type { PageResponse } from '../../../platform/pages/index.ts'
import { findShownThing } from '../../codes/scanned-things/index.ts'
import type { StoredConversation, StoredMessage } from '../conversations/index.ts'
import { isOpen } from '../office-hours/index.ts'
import { scannedIn } from '../visitor-messages/index.ts'
import { type ChatState, renderChat } from './pages/chat.ts'
import type { ChatView } from './pages/document.ts'
import { isWithPerson } from './pages/state.ts'
import type { ChatRequestServices, VisitorState } from './request-services.ts'
import { respondPage } from './responses.ts'
import { MESSAGES_SHOWN_MAX } from './stream/visitor-stream.ts'
import type { ChatVisit } from './visit.ts'

/** Why a form is shown again, with what the visitor typed. */
export interface Refusal {
  status: number
  typed?: string
  problem?: string
  personProblem?: string
  headers?: PageResponse['headers']
}

export const viewOf = (
  { themes }: ChatRequestServices,
  { chatbot, language, accepted, isFrame }: ChatVisit,
): ChatView => ({
  chatbot,
  language,
  accepted,
  theme: themes.get(chatbot.brand),
  isFrame,
})

/** The page with the conversation. */
export async function showChat(
  services: ChatRequestServices,
  visit: ChatVisit,
  known: VisitorState,
  refusal?: Refusal,
): Promise<PageResponse> {
  const { chatbot, language, nowMs, request } = visit
  const { conversations, database, messages } = services
  const { conversation } = known
  const stored =
    conversation === undefined
      ? []
      : await conversations.listLastMessages(database.read, conversation, MESSAGES_SHOWN_MAX + 1)
  const shown = stored.slice(-MESSAGES_SHOWN_MAX)
  const voted = request.query.get('voted')
  const rendered: string[] = []
  for (const message of shown) {
    const options = { hasVoted: message.id === voted, mayAsk: !isWithPerson(conversation) }
    rendered.push(await messages.render(chatbot, language, message, options))
  }
  const state: ChatState = {
    conversation,
    messages: rendered,
    lastMessageId: shown.at(-1)?.id ?? null,
    hasEarlier: stored.length > shown.length,
    scanned: await findScanned(services, visit, known),
    isOpen: isOpen(chatbot.officeHours, nowMs),
    canMail: services.mails.canSend,
    unanswered: findUnanswered(services, conversation, shown),
    typed: refusal?.typed ?? '',
    problem: refusal?.problem ?? null,
    personProblem: refusal?.personProblem ?? null,
    messageKey: randomBase62(22),
  }
  const page = renderChat(viewOf(services, visit), state)
  return respondPage(refusal?.status ?? 200, language, page, refusal?.headers)
}

async function findScanned(
  { database }: ChatRequestServices,
  { chatbot }: ChatVisit,
  { conversation, scan }: VisitorState,
) {
  const scanned = (conversation && scannedIn(conversation)) ?? scan?.scanned
  if (!scanned) return null
  return findShownThing(database.read, chatbot.orgId, scanned)
}

/** Finds the question, and notes that the visitor still waits for its answer: without scripts, a page is loaded repeatedly. */
function findUnanswered(
  { answers, live }: ChatRequestServices,
  conversation: StoredConversation | undefined,
  messages: readonly StoredMessage[],
): ChatState['unanswered'] {
  const last = messages.at(-1)
  if (conversation?.status !== 'bot_active' || last?.role !== 'user') return null
  const isBeingWritten = answers.current(conversation.id) !== undefined
  if (isBeingWritten) live.hold(conversation.id)()
  return { id: last.id, isBeingWritten }
}
