import { ApiError } from '../../../platform/errors/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import { type ArticleRow, type ArticleSettings, requireArticle } from '../articles/index.ts'
import type { ArticleVersionDiff } from './contract.ts'
import { requireVersion } from './service.ts'
import { type Differ, diffLine, TaskLimitExceeded } from './text-diff/index.ts'

export interface VersionSettings extends Pick<ArticleSettings, 'markdown'> {
  differ: Differ
}

/** Compares the contents in a worker thread, so that the event loop is not blocked. */
export async function diffVersions(
  ctx: Context,
  id: string,
  from: number,
  to: number,
  { differ }: VersionSettings,
): Promise<ArticleVersionDiff> {
  const article = await requireArticle(ctx.read, ctx.orgId, id)
  const [before, after] = [await textOf(ctx, article, from), await textOf(ctx, article, to)]
  return {
    object: 'article_version_diff',
    article_id: id,
    from_version: from,
    to_version: to,
    title: diffLine(before.title, after.title),
    content: await compare(ctx, differ, before.content, after.content),
  }
}

async function compare(
  { orgId, signal }: Context,
  differ: Differ,
  before: string,
  after: string,
): Promise<ArticleVersionDiff['content']> {
  try {
    return (await differ.compare(orgId, before, after, signal)) as ArticleVersionDiff['content']
  } catch (error) {
    if (!(error instanceof TaskLimitExceeded)) throw error
    throw new ApiError(
      'unprocessable',
      'These two versions take too long to compare. Get both versions and compare them yourself.',
    )
  }
}

const textOf = ({ read, orgId }: Context, article: ArticleRow, number: number) =>
  number === article.version_number ? article : requireVersion(read, orgId, article.id, number)
