import type { IncomingMessage } from 'node:http'
import { timestamp } from '../../../platform/clock/index.ts'
import type { Keyring } from '../../../platform/keyring/index.ts'
import type { Themes } from '../../../platform/look/index.ts'
import type { PasswordHasher } from '../../../platform/passwords/index.ts'
import type { ProofOfWork } from '../../../platform/rate-limit/proof-of-work.ts'
import type { Metrics } from '../../../platform/telemetry/metrics.ts'
import type { AssetSettings } from '../../assets/assets/index.ts'
import type { FileStore, FormReader, UploadLimits, UploadTokens } from '../../assets/uploads/index.ts'
import type { AttributedScan } from '../../codes/scanned-things/index.ts'
import type { PublicHosts } from '../../domains/custom-domains/index.ts'
import type { Mails } from '../../mail/mails/index.ts'
import type { StoredConversation } from '../conversations/index.ts'
import type { Inbox, RunningAnswers } from '../visitor-messages/index.ts'
import type { PublicChatbot } from './chatbots/index.ts'
import type { ChatCookies } from './cookies.ts'
import type { FileLinks } from './files/file-links.ts'
import type { ChatLimits } from './limits.ts'
import type { LoadNotices } from './load-notices.ts'
import type { LiveConversations } from './stream/live-conversations.ts'
import type { StreamServices } from './stream/visitor-stream.ts'
import type { ChatVisit } from './visit.ts'

/** What all requests to chatbots need. */
export interface ChatRequestServices extends StreamServices {
  /** Returns `gone` if the chatbot was deleted, and undefined if the requested host has never had such a chatbot. */
  findChatbot(publicSlug: string, request: IncomingMessage): Promise<PublicChatbot | 'gone' | undefined>
  hosts: Pick<PublicHosts, 'sendsOn'>
  mails: Pick<Mails, 'canSend'>
  keyring: Keyring
  cookies: ChatCookies
  limits: ChatLimits
  proofs: ProofOfWork
  loadNotices: LoadNotices
  metrics: Metrics
  inbox: Inbox
  answers: RunningAnswers
  live: LiveConversations
  themes: Themes
  links: FileLinks
  hasher: PasswordHasher
  assets: AssetSettings
  reader: FormReader
  uploads: UploadLimits
  tokens: UploadTokens
  store: FileStore
}

/** The conversation of a visitor, and what they scanned. */
export interface VisitorState {
  conversation: StoredConversation | undefined
  /** The token of the conversation. */
  token: string | undefined
  scan: AttributedScan | undefined
}

/**
 * Finds the conversation of a visitor. Somebody who has scanned something else since begins another one, unless a person
 * is taking care of this one: the questions are about another thing now.
 */
export async function findVisitorState(services: ChatRequestServices, visit: ChatVisit): Promise<VisitorState> {
  const { chatbot, token, request, isFrame, nowMs } = visit
  const { conversations, database, cookies } = services
  const scan = isFrame ? undefined : await cookies.openScan(chatbot, request.raw.headers.cookie, nowMs)
  const found =
    token === undefined ? undefined : await conversations.findByToken(database.read, chatbot, token, timestamp(nowMs))
  if (found === undefined || (scan !== undefined && isOfAnother(found, scan))) {
    return { conversation: undefined, token: undefined, scan }
  }
  return { conversation: found, token, scan }
}

function isOfAnother(
  { status, qrCodeId, objectId, productId }: StoredConversation,
  { scanned }: AttributedScan,
): boolean {
  const isWithAgent = status === 'agent_requested' || status === 'open'
  return !isWithAgent && ![qrCodeId, objectId, productId].includes(scanned.id)
}
