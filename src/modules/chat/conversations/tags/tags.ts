import { noteChange } from '../../../../platform/audit/index.ts'
import type { OffsetPage, OffsetQuery } from '../../../../platform/contract/pagination.ts'
import { unprocessableEntry } from '../../../../platform/errors/index.ts'
import { type Context, pageOf } from '../../../../platform/http/index.ts'
import type { ConversationTag } from '../../conversation-tags/contract.ts'
import { lockReferencedTags, toConversationTag } from '../../conversation-tags/index.ts'
import type { ConversationTagsReplace } from '../contract.ts'
import { lockConversation, requireConversation } from '../stored-conversation.ts'
import { deleteAssignments, insertAssignments, selectAssignedTags } from './tag-queries.ts'

export async function listTags(ctx: Context, id: string, query: OffsetQuery): Promise<OffsetPage<ConversationTag>> {
  await requireConversation(ctx.read, ctx.orgId, id)
  return pageOf(await selectAssignedTags(ctx.read, ctx.orgId, id), query, toConversationTag)
}

export function replaceTags(
  ctx: Context,
  id: string,
  { tag_ids }: ConversationTagsReplace,
  query: OffsetQuery,
): Promise<OffsetPage<ConversationTag>> {
  return ctx.write(async (tx) => {
    await lockConversation(tx, ctx.orgId, id)
    const missing = await lockReferencedTags(tx, ctx.orgId, tag_ids)
    if (missing !== undefined) {
      throw unprocessableEntry(
        'tag_ids',
        tag_ids,
        missing,
        'there is no conversation tag with this id in your organisation',
      )
    }
    const before = await selectAssignedTags(tx, ctx.orgId, id)
    await deleteAssignments(tx, ctx.orgId, id)
    await insertAssignments(tx, ctx.orgId, id, tag_ids)
    const after = await selectAssignedTags(tx, ctx.orgId, id)
    const [from, to] = [before, after].map((tags) => tags.map(({ name }) => name).sort())
    if (JSON.stringify(from) !== JSON.stringify(to))
      noteChange(tx, 'conversation.updated', { type: 'conversation', id }, () => ({ tags: { from, to } }))
    return pageOf(after, query, toConversationTag)
  })
}
