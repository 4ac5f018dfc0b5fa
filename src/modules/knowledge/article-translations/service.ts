import type { OffsetPage, OffsetQuery } from '../../../platform/contract/pagination.ts'
import { sentFields } from '../../../platform/contract/sent-fields.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import { type Context, requireModestPage } from '../../../platform/http/index.ts'
import { newId } from '../../../platform/ids/index.ts'
import {
  type ArticleHead,
  type ArticleRow,
  type ArticleSettings,
  changeArticle,
  keepAssetsOf,
  lockArticle,
  queuedForIndexing,
  requireHead,
  toPlain,
  urlIn,
} from '../articles/index.ts'
import type { ArticleTranslation, ArticleTranslationCreate, ArticleTranslationUpdate } from './contract.ts'
import {
  deleteText,
  insertText,
  selectText,
  selectTranslationSizes,
  selectTranslations,
  type TextRow,
  updateText,
} from './queries.ts'

export async function listTranslations(
  ctx: Context,
  id: string,
  { page, page_size }: OffsetQuery,
  publicUrl: string,
): Promise<OffsetPage<ArticleTranslation>> {
  const article = await requireHead(ctx.read, ctx.orgId, id)
  const sizes = await selectTranslationSizes(ctx.read, ctx.orgId, id, article.language)
  const offset = (page - 1) * page_size
  requireModestPage(sizes.slice(offset, offset + page_size))
  const rows = await selectTranslations(ctx.read, ctx.orgId, id, article.language, page_size, offset)
  return { total: sizes.length, data: rows.map((row) => toTranslation(row, article, publicUrl)) }
}

export async function createTranslation(
  ctx: Context,
  id: string,
  { language, title, content }: ArticleTranslationCreate,
  settings: ArticleSettings,
): Promise<ArticleTranslation> {
  const derived = await toPlain(ctx, content, settings)
  return ctx.write(async (tx) => {
    const article = await lockArticle(tx, ctx.orgId, id)
    const row: TextRow = {
      id: newId(),
      article_id: id,
      language,
      title,
      content,
      ...derived,
      revision: article.revision,
      created_at: ctx.now,
      updated_at: ctx.now,
    }
    await insertText(tx, ctx.orgId, row)
    await keepAssetsOf(tx, ctx.orgId, id, content, ctx.now)
    await changeArticleText(tx, ctx, article, { before: undefined, after: row }, settings.publicUrl)
    return toTranslation(row, article, settings.publicUrl)
  })
}

export async function getTranslation(
  ctx: Context,
  id: string,
  language: string,
  publicUrl: string,
): Promise<ArticleTranslation> {
  const article = await requireHead(ctx.read, ctx.orgId, id)
  return toTranslation(await requireTranslation(ctx.read, ctx, article, language), article, publicUrl)
}

export async function updateTranslation(
  ctx: Context,
  id: string,
  language: string,
  input: ArticleTranslationUpdate,
  settings: ArticleSettings,
): Promise<ArticleTranslation> {
  const sent = sentFields(input)
  const { publicUrl } = settings
  const derived = sent.content === undefined ? {} : await toPlain(ctx, sent.content, settings)
  return ctx.write(async (tx) => {
    const article = await lockArticle(tx, ctx.orgId, id)
    const row = await requireTranslation(tx, ctx, article, language)
    const updated: TextRow = { ...row, ...sent, ...derived, revision: article.revision, updated_at: ctx.now }
    if (updated.title === row.title && updated.content === row.content) return toTranslation(row, article, publicUrl)
    await updateText(tx, ctx.orgId, updated)
    if (updated.content !== row.content) await keepAssetsOf(tx, ctx.orgId, id, updated.content, ctx.now)
    await changeArticleText(tx, ctx, article, { before: row, after: updated }, publicUrl)
    return toTranslation(updated, article, publicUrl)
  })
}

export function deleteTranslation(ctx: Context, id: string, language: string, publicUrl: string): Promise<void> {
  return ctx.write(async (tx) => {
    const article = await lockArticle(tx, ctx.orgId, id)
    const row = await requireTranslation(tx, ctx, article, language)
    await deleteText(tx, ctx.orgId, row.id)
    await changeArticleText(tx, ctx, article, { before: row, after: undefined }, publicUrl)
  })
}

/** A changed translation is a change of its article: emits `article.updated` and queues the article for indexing. */
async function changeArticleText(
  tx: Tx,
  ctx: Context,
  article: ArticleRow,
  { before, after }: { before: TextRow | undefined; after: TextRow | undefined },
  publicUrl: string,
): Promise<void> {
  const language = (before ?? after)?.language
  const otherChanges = { [`translations.${language}`]: { from: toText(before), to: toText(after) } }
  const indexing = article.status === 'published' ? queuedForIndexing(ctx.now) : {}
  await changeArticle(tx, ctx, article, indexing, publicUrl, { otherChanges })
}

const toText = (row: TextRow | undefined) => (row ? { title: row.title, content: row.content } : null)

/** Throws 404 for the article's own language, too: its own text is no translation. */
async function requireTranslation(
  db: Db,
  { orgId }: Context,
  article: ArticleHead,
  language: string,
): Promise<TextRow> {
  const row = language === article.language ? undefined : await selectText(db, orgId, article.id, language)
  if (row === undefined) throw new ApiError('not_found', 'The article has no translation in this language.')
  return row
}

const toTranslation = (row: TextRow, article: ArticleHead, publicUrl: string): ArticleTranslation => ({
  object: 'article_translation',
  id: row.id,
  article_id: row.article_id,
  language: row.language as ArticleTranslation['language'],
  title: row.title,
  url: urlIn(article, row.language, publicUrl),
  content: row.content,
  content_plain: row.content_plain,
  warnings: [...row.warnings],
  is_stale: row.revision < article.revision,
  created_at: row.created_at,
  updated_at: row.updated_at,
})
