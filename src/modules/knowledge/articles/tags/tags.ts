import type { OffsetPage, OffsetQuery } from '../../../../platform/contract/pagination.ts'
import { unprocessableEntry } from '../../../../platform/errors/index.ts'
import { type Context, pageOf } from '../../../../platform/http/index.ts'
import type { ArticleTag } from '../../article-tags/contract.ts'
import { lockReferencedTags, toArticleTag } from '../../article-tags/index.ts'
import { changeArticle } from '../change.ts'
import type { ArticleTagsReplace } from '../contract.ts'
import { lockArticle } from '../lock.ts'
import { requireHead } from '../require.ts'
import { type AssignedTag, replaceAssignments, selectAssignedTags } from './tag-queries.ts'

export async function listArticleTags(ctx: Context, id: string, query: OffsetQuery): Promise<OffsetPage<ArticleTag>> {
  await requireHead(ctx.read, ctx.orgId, id)
  return pageOf(await selectAssignedTags(ctx.read, ctx.orgId, id), query, toArticleTag)
}

export function replaceArticleTags(
  ctx: Context,
  id: string,
  { tag_ids }: ArticleTagsReplace,
  query: OffsetQuery,
  publicUrl: string,
): Promise<OffsetPage<ArticleTag>> {
  return ctx.write(async (tx) => {
    const row = await lockArticle(tx, ctx.orgId, id)
    const missing = await lockReferencedTags(tx, ctx.orgId, tag_ids)
    if (missing !== undefined) {
      throw unprocessableEntry('tag_ids', tag_ids, missing, 'there is no article tag with this id in your organisation')
    }
    const before = await selectAssignedTags(tx, ctx.orgId, id)
    await replaceAssignments(tx, ctx.orgId, id, tag_ids)
    const after = await selectAssignedTags(tx, ctx.orgId, id)
    const [from, to] = [toNames(before), toNames(after)]
    if (from.join('\n') !== to.join('\n'))
      await changeArticle(tx, ctx, row, {}, publicUrl, { otherChanges: { tag_names: { from, to } } })
    return pageOf(after, query, toArticleTag)
  })
}

const toNames = (tags: readonly AssignedTag[]): string[] => tags.map(({ name }) => name).sort()
