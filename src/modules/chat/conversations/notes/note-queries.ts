import type { Position } from '../../../../platform/contract/pagination.ts'
import { type Db, insertRows, olderThan, type Tx } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'

interface ConversationNotesTable {
  id: string
  org_id: string
  conversation_id: string
  /** The user; null for an API key. */
  author_id: string | null
  content: string
  created_at: string
}

declare module '../../../../platform/db/types.ts' {
  interface Tables {
    conversation_notes: ConversationNotesTable
  }
}

const COLUMNS = ['id', 'conversation_id', 'author_id', 'content', 'created_at'] as const
export type NoteRow = Pick<ConversationNotesTable, (typeof COLUMNS)[number]>

export const insertNote = (tx: Tx, orgId: OrgId, row: NoteRow): Promise<void> =>
  insertRows(tx, 'conversation_notes', [...COLUMNS, 'org_id'], [{ ...row, org_id: orgId }])

/** Newest first. */
export const selectNotes = (
  db: Db,
  orgId: OrgId,
  conversationId: string,
  after: Position | undefined,
  limit: number,
): Promise<NoteRow[]> =>
  db
    .selectFrom('conversation_notes')
    .select(COLUMNS)
    .where('org_id', '=', orgId)
    .where('conversation_id', '=', conversationId)
    .$if(after !== undefined, (query) => query.where(olderThan(after as Position)))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** Deletes some of the notes. Returns how many. */
export const deleteNotes = async (tx: Tx, orgId: OrgId, conversationId: string, limit: number): Promise<number> => {
  const some = tx
    .selectFrom('conversation_notes')
    .select('id')
    .where('org_id', '=', orgId)
    .where('conversation_id', '=', conversationId)
    .limit(limit)
  const deleted = await tx
    .deleteFrom('conversation_notes')
    .where('org_id', '=', orgId)
    .where('id', 'in', some)
    .returning('id')
    .execute()
  return deleted.length
}
