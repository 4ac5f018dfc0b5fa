import {
  columnsExcept,
  compiled,
  type Db,
  insertRows,
  type Row,
  type Tx,
  withPrefix,
} from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

export const COLUMNS = columnsExcept('conversations', 'org_id')
export type ConversationRow = Row<'conversations', typeof COLUMNS>

const byId = compiled((db: Db, orgId: OrgId, id: string) =>
  db.selectFrom('conversations').select(COLUMNS).where('org_id', '=', orgId).where('id', '=', id),
)

export const selectConversation = async (db: Db, orgId: OrgId, id: string): Promise<ConversationRow | undefined> =>
  (await byId(db, orgId, id))[0]

export const insertConversation = (tx: Tx, orgId: OrgId, row: ConversationRow): Promise<void> =>
  insertRows(tx, 'conversations', [{ ...row, org_id: orgId }])

export const updateConversationRow = async (tx: Tx, orgId: OrgId, { id, ...row }: ConversationRow): Promise<void> => {
  await tx.updateTable('conversations').set(row).where('org_id', '=', orgId).where('id', '=', id).execute()
}

/** Read marks are no changes of the conversation. */
export const updateRead = async (
  tx: Tx,
  orgId: OrgId,
  id: string,
  marks: Partial<Pick<ConversationRow, 'agent_read_at' | 'visitor_read_at' | 'visitor_seen_at'>>,
): Promise<void> => {
  await tx.updateTable('conversations').set(marks).where('org_id', '=', orgId).where('id', '=', id).execute()
}

/** Changes nothing if the visitor was seen after `before`. */
export const updateSeen = async (tx: Tx, orgId: OrgId, id: string, now: string, before: string): Promise<void> => {
  await tx
    .updateTable('conversations')
    .set({ visitor_seen_at: now })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where(({ eb, or }) => or([eb('visitor_seen_at', 'is', null), eb('visitor_seen_at', '<', before)]))
    .execute()
}

export const deleteConversation = async (tx: Tx, orgId: OrgId, id: string): Promise<void> => {
  await tx.deleteFrom('conversations').where('org_id', '=', orgId).where('id', '=', id).execute()
}

/** Its name, when people answer for it, and what it says otherwise. Undefined if the chatbot was deleted. */
export const selectAvailability = (db: Db, orgId: OrgId, chatbotId: string) =>
  db
    .selectFrom('chatbots')
    .select(['name', 'office_hours', 'welcome_message', 'welcome_subtitle', 'suggestions', 'away_message'])
    .select(['default_language', 'translations'])
    .where('org_id', '=', orgId)
    .where('id', '=', chatbotId)
    .executeTakeFirst()

/** The public slug of the chat. Undefined if the chatbot was deleted, or is not active. */
export const selectChatAddress = async (db: Db, orgId: OrgId, chatbotId: string): Promise<string | undefined> => {
  const chatbot = db
    .selectFrom('chatbots')
    .select('public_slug')
    .where('org_id', '=', orgId)
    .where('id', '=', chatbotId)
  return (await chatbot.where('status', '=', 'active').executeTakeFirst())?.public_slug
}

const TOKEN_COLUMNS = columnsExcept('conversation_tokens', 'org_id')
export type TokenRow = Row<'conversation_tokens', typeof TOKEN_COLUMNS>

const byToken = compiled((db: Db, orgId: OrgId, hash: string) =>
  db
    .selectFrom('conversation_tokens')
    .innerJoin('conversations', 'conversations.id', 'conversation_tokens.conversation_id')
    .select(withPrefix('conversations', COLUMNS))
    .select(['purpose', 'expires_at'])
    .where('conversation_tokens.org_id', '=', orgId)
    .where('conversations.org_id', '=', orgId)
    .where('conversation_tokens.id', '=', hash),
)

export const selectByToken = async (db: Db, orgId: OrgId, hash: string) => (await byToken(db, orgId, hash))[0]

export const insertToken = (tx: Tx, orgId: OrgId, row: TokenRow): Promise<void> =>
  insertRows(tx, 'conversation_tokens', [{ ...row, org_id: orgId }])

/** If two transactions use the same token, one gets undefined. */
export const deleteToken = (tx: Tx, orgId: OrgId, hash: string): Promise<TokenRow | undefined> =>
  tx
    .deleteFrom('conversation_tokens')
    .where('org_id', '=', orgId)
    .where('id', '=', hash)
    .returning(TOKEN_COLUMNS)
    .executeTakeFirst()

/** There are few for each conversation. */
export const selectTokens = (db: Db, orgId: OrgId, conversationId: string): Promise<TokenRow[]> =>
  db
    .selectFrom('conversation_tokens')
    .select(TOKEN_COLUMNS)
    .where('org_id', '=', orgId)
    .where('conversation_id', '=', conversationId)
    .execute()

export const prolongToken = async (tx: Tx, orgId: OrgId, hash: string, expiresAt: string): Promise<void> => {
  await tx
    .updateTable('conversation_tokens')
    .set({ expires_at: expiresAt })
    .where('org_id', '=', orgId)
    .where('id', '=', hash)
    .execute()
}

export const deleteTokensOf = async (tx: Tx, orgId: OrgId, conversationId: string): Promise<void> => {
  await tx
    .deleteFrom('conversation_tokens')
    .where('org_id', '=', orgId)
    .where('conversation_id', '=', conversationId)
    .execute()
}

export const insertChange = (tx: Tx, orgId: OrgId, conversationId: string, created_at: string): Promise<void> =>
  insertRows(tx, 'conversation_changes', [{ conversation_id: conversationId, created_at, org_id: orgId }])

/** Deletes some of the times of events. Returns them. */
export const deleteChanges = async (tx: Tx, orgId: OrgId, conversationId: string, limit: number): Promise<string[]> => {
  const some = tx
    .selectFrom('conversation_changes')
    .select('created_at')
    .where('org_id', '=', orgId)
    .where('conversation_id', '=', conversationId)
    .limit(limit)
  const deleted = await tx
    .deleteFrom('conversation_changes')
    .where('org_id', '=', orgId)
    .where('conversation_id', '=', conversationId)
    .where('created_at', 'in', some)
    .returning('created_at')
    .execute()
  return deleted.map(({ created_at }) => created_at)
}
