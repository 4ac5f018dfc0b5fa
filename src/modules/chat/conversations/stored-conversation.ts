import type { Language } from '../../../platform/contract/languages.ts'
import { type Db, lockRow, type Tx } from '../../../platform/db/index.ts'
import { notFoundOrGone } from '../../../platform/db/tombstones.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { Conversation } from './contract.ts'
import { type ConversationRow, selectConversation } from './queries.ts'

export async function requireConversation(db: Db, orgId: OrgId, id: string): Promise<ConversationRow> {
  const row = await selectConversation(db, orgId, id)
  if (row === undefined) throw await notFoundOrGone(db, orgId, 'conversation', id)
  return row
}

export async function lockConversation(tx: Tx, orgId: OrgId, id: string): Promise<ConversationRow> {
  await lockRow(tx, orgId, 'conversations', id)
  return requireConversation(tx, orgId, id)
}

export function toConversation(row: ConversationRow): Conversation {
  const { id, chatbot_id, status, priority, title, contact_email, contact_name, contact_phone, assigned_to } = row
  const { last_message_preview, last_message_at, agent_read_at, visitor_read_at, resolved_at, closed_at } = row
  const { created_at, qr_code_id, product_id, object_id } = row
  return {
    object: 'conversation',
    ...{ id, chatbot_id, status, priority, title },
    summary: null,
    sentiment_score: null,
    ...{ contact_email, contact_name, contact_phone, assigned_to },
    language: row.language as Language,
    ...{ last_message_preview, last_message_at, agent_read_at, visitor_read_at, resolved_at, closed_at },
    ...{ created_at, qr_code_id, product_id, object_id },
  }
}
