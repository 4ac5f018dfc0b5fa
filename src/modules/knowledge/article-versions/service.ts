import type { OffsetPage, OffsetQuery } from '../../../platform/contract/pagination.ts'
import type { Db } from '../../../platform/db/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import { type Context, requireModestPage } from '../../../platform/http/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { Article } from '../articles/contract.ts'
import {
  type ArticleSettings,
  type ArticleVersionRow,
  changeArticle,
  insertVersion,
  lockArticle,
  requireHead,
  toArticle,
  toPlain,
} from '../articles/index.ts'
import type { ArticleVersion, ArticleVersionCreate } from './contract.ts'
import { selectVersion, selectVersionSizes, selectVersions } from './queries.ts'

export async function listVersions(
  ctx: Context,
  id: string,
  { page, page_size }: OffsetQuery,
): Promise<OffsetPage<ArticleVersion>> {
  const { version_number } = await requireHead(ctx.read, ctx.orgId, id)
  // Version numbers have no gaps, and the current text has the next number.
  const total = version_number - 1
  const offset = (page - 1) * page_size
  requireModestPage(await selectVersionSizes(ctx.readLong, ctx.orgId, id, page_size, offset))
  const rows = await selectVersions(ctx.readLong, ctx.orgId, id, page_size, offset)
  return { total, data: rows.map(toVersion) }
}

export function snapshotArticle(
  ctx: Context,
  id: string,
  input: ArticleVersionCreate,
  publicUrl: string,
): Promise<ArticleVersion> {
  return ctx.write(async (tx) => {
    const row = await lockArticle(tx, ctx.orgId, id)
    const version = await insertVersion(tx, ctx.orgId, row, input.change_summary ?? null, ctx.now)
    await changeArticle(tx, ctx, row, { version_number: row.version_number + 1 }, publicUrl)
    return toVersion(version)
  })
}

export async function getVersion(ctx: Context, id: string, number: number): Promise<ArticleVersion> {
  await requireHead(ctx.read, ctx.orgId, id)
  return toVersion(await requireVersion(ctx.read, ctx.orgId, id, number))
}

export async function restoreVersion(
  ctx: Context,
  id: string,
  number: number,
  settings: ArticleSettings,
): Promise<Article> {
  await requireHead(ctx.read, ctx.orgId, id)
  // Versions never change, so this one can be rendered before the transaction.
  const { title, content } = await requireVersion(ctx.read, ctx.orgId, id, number)
  const derived = await toPlain(ctx, content, settings)
  return ctx.write(async (tx) => {
    const row = await lockArticle(tx, ctx.orgId, id)
    const summary = `Auto-snapshot before restoring version ${number}`
    const { publicUrl } = settings
    const after = await changeArticle(tx, ctx, row, { title, content, ...derived }, publicUrl, { summary })
    return toArticle(after, publicUrl)
  })
}

export async function requireVersion(db: Db, orgId: OrgId, id: string, number: number): Promise<ArticleVersionRow> {
  const row = await selectVersion(db, orgId, id, number)
  if (row === undefined) throw new ApiError('not_found', 'The article has no version with this number.')
  return row
}

const toVersion = (row: ArticleVersionRow): ArticleVersion => ({
  object: 'article_version',
  id: row.id,
  article_id: row.article_id,
  version_number: row.version_number,
  title: row.title,
  content: row.content,
  language: row.language as ArticleVersion['language'],
  change_summary: row.change_summary,
  created_at: row.created_at,
})
