import { type Db, insertRows, type Tx } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'

/** Newest tag first: ids sort by creation time. A conversation has few. */
export const selectAssignedTags = (db: Db, orgId: OrgId, conversationId: string) =>
  db
    .selectFrom('conversation_tag_assignments')
    .innerJoin('conversation_tags', 'conversation_tags.id', 'conversation_tag_assignments.tag_id')
    .select(['conversation_tags.id', 'name', 'color', 'conversation_tags.created_at'])
    .where('conversation_tag_assignments.org_id', '=', orgId)
    .where('conversation_id', '=', conversationId)
    .orderBy('tag_id', 'desc')
    .execute()

export const deleteAssignments = async (tx: Tx, orgId: OrgId, conversationId: string): Promise<void> => {
  await tx
    .deleteFrom('conversation_tag_assignments')
    .where('org_id', '=', orgId)
    .where('conversation_id', '=', conversationId)
    .execute()
}

export const insertAssignments = (
  tx: Tx,
  orgId: OrgId,
  conversationId: string,
  tagIds: readonly string[],
): Promise<void> =>
  insertRows(
    tx,
    'conversation_tag_assignments',
    tagIds.map((tag_id) => ({ org_id: orgId, conversation_id: conversationId, tag_id })),
  )
