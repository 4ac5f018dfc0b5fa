import type { OffsetPage, OffsetQuery } from '../../../platform/contract/pagination.ts'
import { unprocessable } from '../../../platform/errors/index.ts'
import { type Context, pageOf } from '../../../platform/http/index.ts'
import type { ArticleTag } from '../article-tags/contract.ts'
import { keepTags } from '../article-tags/index.ts'
import { changeArticle, lockArticle, requireHead } from './change.ts'
import type { ArticleTagsReplace } from './contract.ts'
import { type AssignedTag, replaceAssignments, selectAssignedTags } from './tag-queries.ts'

export async function listArticleTags(ctx: Context, id: string, query: OffsetQuery): Promise<OffsetPage<ArticleTag>> {
  await requireHead(ctx.read, ctx.orgId, id)
  return pageOf(await selectAssignedTags(ctx.read, ctx.orgId, id), query, toTag)
}

export function replaceArticleTags(
  ctx: Context,
  id: string,
  { tag_ids }: ArticleTagsReplace,
  query: OffsetQuery,
): Promise<OffsetPage<ArticleTag>> {
  return ctx.write(async (tx) => {
    const row = await lockArticle(tx, ctx.orgId, id)
    const unknown = await keepTags(tx, ctx.orgId, tag_ids)
    if (unknown !== undefined) {
      throw unprocessable('tag_ids', unknown, 'there is no article tag with this id in your organisation')
    }
    const before = await selectAssignedTags(tx, ctx.orgId, id)
    await replaceAssignments(tx, ctx.orgId, id, tag_ids)
    const after = await selectAssignedTags(tx, ctx.orgId, id)
    const [from, to] = [toNames(before), toNames(after)]
    if (from.join('\n') !== to.join('\n'))
      await changeArticle(tx, ctx, row, {}, { beside: { tag_names: { from, to } } })
    return pageOf(after, query, toTag)
  })
}

const toNames = (tags: readonly AssignedTag[]): string[] => tags.map(({ name }) => name).sort()

const toTag = ({ id, name, created_at }: AssignedTag): ArticleTag => ({ object: 'article_tag', id, name, created_at })
