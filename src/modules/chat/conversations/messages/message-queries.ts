import { type SelectQueryBuilder, sql } from 'kysely'
import {
  columnsExcept,
  compiled,
  type Db,
  inRange,
  insertRows,
  isSqlite,
  type Row,
  type Tables,
  type Tx,
} from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'

const COLUMNS = columnsExcept('messages', 'org_id', 'message_key', 'answer_to')
export type MessageRow = Row<'messages', typeof COLUMNS>
export type NewMessageRow = MessageRow & Pick<Row<'messages'>, 'message_key' | 'answer_to'>

export const insertMessages = (tx: Tx, orgId: OrgId, rows: readonly NewMessageRow[]): Promise<void> =>
  insertRows(
    tx,
    'messages',
    rows.map((row) => ({ ...row, org_id: orgId })),
  )

const within = (db: Db, orgId: OrgId, conversationId: string) =>
  db.selectFrom('messages').select(COLUMNS).where('org_id', '=', orgId).where('conversation_id', '=', conversationId)

export const selectMessage = (
  db: Db,
  orgId: OrgId,
  conversationId: string,
  id: string,
): Promise<MessageRow | undefined> => within(db, orgId, conversationId).where('id', '=', id).executeTakeFirst()

export const selectByKey = (
  db: Db,
  orgId: OrgId,
  conversationId: string,
  key: string,
): Promise<MessageRow | undefined> =>
  within(db, orgId, conversationId).where('message_key', '=', key).executeTakeFirst()

export const selectAnswerTo = (
  db: Db,
  orgId: OrgId,
  conversationId: string,
  questionId: string,
): Promise<MessageRow | undefined> =>
  within(db, orgId, conversationId).where('answer_to', '=', questionId).executeTakeFirst()

/** Where a list of messages starts, and its direction. */
export interface MessageRange {
  after: string | undefined
  order: 'asc' | 'desc'
}

const inConversation = <Row>(
  db: Db,
  messages: SelectQueryBuilder<Tables, 'messages', Row>,
  conversationId: string,
  { after, order }: MessageRange,
) =>
  inRange(db, messages, {
    filters: [['conversation_id', conversationId]],
    order: { column: 'id', direction: order },
    after: after === undefined ? undefined : { value: after, id: after },
  })

export const selectMessages = (
  db: Db,
  orgId: OrgId,
  conversationId: string,
  range: MessageRange,
  limit: number,
): Promise<MessageRow[]> =>
  inConversation(db, db.selectFrom('messages').select(COLUMNS).where('org_id', '=', orgId), conversationId, range)
    .limit(limit)
    .execute()

/** SQLite knows the length of a stored text without reading it. */
export const selectMessageSizes = (
  db: Db,
  orgId: OrgId,
  conversationId: string,
  range: MessageRange,
  limit: number,
): Promise<{ bytes: number }[]> => {
  const bytes = isSqlite(db)
    ? sql<number>`octet_length(parts) + octet_length(metadata)`
    : sql<number>`octet_length(parts::text) + octet_length(metadata::text)`
  const sizes = db.selectFrom('messages').select(bytes.as('bytes')).where('org_id', '=', orgId)
  return inConversation(db, sizes, conversationId, range).limit(limit).execute()
}

/** Deletes some of the messages. Returns their ids and times. */
export const deleteMessages = (
  tx: Tx,
  orgId: OrgId,
  conversationId: string,
  limit: number,
): Promise<Pick<MessageRow, 'id' | 'created_at'>[]> => {
  const some = tx
    .selectFrom('messages')
    .select('id')
    .where('org_id', '=', orgId)
    .where('conversation_id', '=', conversationId)
    .limit(limit)
  return tx
    .deleteFrom('messages')
    .where('org_id', '=', orgId)
    .where('id', 'in', some)
    .returning(['id', 'created_at'])
    .execute()
}

const FILE_COLUMNS = columnsExcept('conversation_files', 'org_id')
export type FileRow = Row<'conversation_files', typeof FILE_COLUMNS>

/** A file that was sent twice keeps its first name. */
export const insertFiles = async (tx: Tx, orgId: OrgId, rows: readonly FileRow[]): Promise<void> => {
  await tx
    .insertInto('conversation_files')
    .values(rows.map((row) => ({ ...row, org_id: orgId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const byFile = compiled((db: Db, orgId: OrgId, conversationId: string, fileId: string) =>
  db
    .selectFrom('conversation_files')
    .select(FILE_COLUMNS)
    .where('org_id', '=', orgId)
    .where('conversation_id', '=', conversationId)
    .where('file_id', '=', fileId),
)

export const selectFile = async (
  db: Db,
  orgId: OrgId,
  conversationId: string,
  fileId: string,
): Promise<FileRow | undefined> => (await byFile(db, orgId, conversationId, fileId))[0]

export const countFiles = async (db: Db, orgId: OrgId, conversationId: string): Promise<number> => {
  const { files } = await db
    .selectFrom('conversation_files')
    .select((eb) => eb.fn.countAll<number>().as('files'))
    .where('org_id', '=', orgId)
    .where('conversation_id', '=', conversationId)
    .executeTakeFirstOrThrow()
  return files
}

/** A conversation has a limited number. Returns their ids. */
export const deleteFiles = async (tx: Tx, orgId: OrgId, conversationId: string): Promise<string[]> => {
  const deleted = await tx
    .deleteFrom('conversation_files')
    .where('org_id', '=', orgId)
    .where('conversation_id', '=', conversationId)
    .returning('file_id')
    .execute()
  return deleted.map(({ file_id }) => file_id)
}
