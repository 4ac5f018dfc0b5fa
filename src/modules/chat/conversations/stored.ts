import type { Language } from '../../../platform/contract/languages.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { ConversationStatus } from './contract.ts'
import type { Message } from './messages/contract.ts'
import type { ConversationRow } from './queries.ts'

/** A conversation as the chat page knows it. */
export interface StoredConversation {
  id: string
  orgId: OrgId
  chatbotId: string
  status: ConversationStatus
  language: Language
  contactEmail: string | null
  contactName: string | null
  /** When those who may answer last got a mail, because the visitor waits for a person. */
  teamMailedAt: string | null
  qrCodeId: string | null
  productId: string | null
  objectId: string | null
  agentReadAt: string | null
  visitorReadAt: string | null
  createdAt: string
}

/** A conversation that begins. It is stored with its first message, or when the visitor asks for a person. */
export interface StartedConversation extends StoredConversation {
  /** Lets the visitor continue. Only its hash is stored, so it is never available again. */
  token: string
  scanId: string | null
}

/** The same as in the API. The ids of a conversation's messages are in the order in which they were written. */
export type StoredMessage = Message

/** A private asset that a visitor sent. */
export interface VisitorFile {
  id: string
  file_name: string
  media_type: string
  size_bytes: number
}

/** The conversation was resolved, closed or archived. A visitor who writes begins another. */
export class ConversationEnded extends Error {
  constructor() {
    super('the conversation has ended')
    this.name = 'ConversationEnded'
  }
}

/** The conversation was erased. */
export class ConversationGone extends Error {
  constructor() {
    super('the conversation was erased')
    this.name = 'ConversationGone'
  }
}

/** Files were uploaded so long ago that they were removed. The visitor has to choose them again. */
export class FilesGone extends Error {
  readonly fileIds: readonly string[]

  constructor(fileIds: readonly string[]) {
    super('files of the message were removed')
    this.name = 'FilesGone'
    this.fileIds = fileIds
  }
}

/** Visitors can send a limited number of files in one conversation. */
export class TooManyFiles extends Error {
  constructor() {
    super('the conversation has too many files')
    this.name = 'TooManyFiles'
  }
}

export const toStored = (orgId: OrgId, row: ConversationRow): StoredConversation => ({
  id: row.id,
  orgId,
  chatbotId: row.chatbot_id,
  status: row.status,
  language: row.language as Language,
  contactEmail: row.contact_email,
  contactName: row.contact_name,
  teamMailedAt: row.team_mailed_at,
  qrCodeId: row.qr_code_id,
  productId: row.product_id,
  objectId: row.object_id,
  agentReadAt: row.agent_read_at,
  visitorReadAt: row.visitor_read_at,
  createdAt: row.created_at,
})

export const toFirstRow = ({ id, scanId, ...started }: StartedConversation, now: string): ConversationRow => ({
  id,
  chatbot_id: started.chatbotId,
  status: 'bot_active',
  priority: 'medium',
  title: null,
  contact_email: null,
  contact_name: null,
  contact_phone: null,
  assigned_to: null,
  language: started.language,
  last_message_preview: null,
  last_message_at: null,
  agent_read_at: null,
  visitor_read_at: null,
  visitor_seen_at: now,
  visitor_mailed_at: null,
  team_mailed_at: null,
  resolved_at: null,
  closed_at: null,
  scan_id: scanId,
  qr_code_id: started.qrCodeId,
  product_id: started.productId,
  object_id: started.objectId,
  created_at: now,
  active_at: now,
  changed_at: now,
})
