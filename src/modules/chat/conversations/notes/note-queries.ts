import type { Position } from '../../../../platform/contract/pagination.ts'
import { columnsExcept, type Db, insertRows, olderThan, type Row, type Tx } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'

const COLUMNS = columnsExcept('conversation_notes', 'org_id')
export type NoteRow = Row<'conversation_notes', typeof COLUMNS>

export const insertNote = (tx: Tx, orgId: OrgId, row: NoteRow): Promise<void> =>
  insertRows(tx, 'conversation_notes', [{ ...row, org_id: orgId }])

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
