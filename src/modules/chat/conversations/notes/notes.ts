import { noteChange } from '../../../../platform/audit/index.ts'
import type { CursorPage, CursorQuery, Position } from '../../../../platform/contract/pagination.ts'
import { type Context, cursorPage } from '../../../../platform/http/index.ts'
import { newId } from '../../../../platform/ids/index.ts'
import { lockConversation, requireConversation } from '../stored-conversation.ts'
import type { ConversationNote, ConversationNoteCreate } from './contract.ts'
import { insertNote, type NoteRow, selectNotes } from './note-queries.ts'

export async function listNotes(
  ctx: Context,
  id: string,
  query: CursorQuery,
  after: Position | undefined,
): Promise<CursorPage<ConversationNote>> {
  await requireConversation(ctx.read, ctx.orgId, id)
  return cursorPage(query, (limit) => selectNotes(ctx.read, ctx.orgId, id, after, limit), toNote)
}

/** The audit log has no content of notes: it is kept when a conversation is erased. */
export function createNote(
  ctx: Context,
  id: string,
  { text = '', content = text }: ConversationNoteCreate,
): Promise<ConversationNote> {
  return ctx.write(async (tx) => {
    // The lock keeps a note from being added while the conversation is erased.
    await lockConversation(tx, ctx.orgId, id)
    const note = {
      id: newId(),
      conversation_id: id,
      author_id: ctx.credential.userId,
      content,
      created_at: ctx.now,
    }
    await insertNote(tx, ctx.orgId, note)
    noteChange(tx, 'conversation_note.created', { type: 'conversation_note', id: note.id }, () => ({
      conversation_id: { from: null, to: id },
    }))
    return toNote(note)
  })
}

const toNote = ({ id, conversation_id, author_id, content, created_at }: NoteRow): ConversationNote => ({
  object: 'conversation_note',
  ...{ id, conversation_id, author_id, content, created_at },
})
