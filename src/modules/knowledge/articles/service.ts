import { sentFields } from '../../../platform/contract/sent-fields.ts'
import { announce } from '../../../platform/db/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import { newId } from '../../../platform/ids/index.ts'
import { emitAll } from '../../../platform/outbox/index.ts'
import { slugify, takeSlug } from '../../../platform/text/slugify.ts'
import {
  changeArticle,
  deleteArticles,
  INDEXING_TOPIC,
  lockArticle,
  requireArticle,
  settlePublishing,
  toArticle,
} from './change.ts'
import type { Article, ArticleCreate, ArticleUpdate } from './contract.ts'
import { articleEvents } from './events.ts'
import { keepPlace } from './place.ts'
import { type ArticleSettings, toPlain } from './plain.ts'
import { type ArticleRow, insertArticle, insertUnlessSlugTaken, isSlugTaken } from './queries.ts'

/** For titles that have no letter which an address could have. */
const SLUG_FALLBACK = 'article'

export async function createArticle(ctx: Context, input: ArticleCreate, settings: ArticleSettings): Promise<Article> {
  const content = input.content ?? ''
  const content_plain = await toPlain(content, settings)
  return ctx.write(async (tx) => {
    const category_id = input.category_id ?? null
    await keepPlace(tx, ctx.orgId, { knowledge_base_id: input.knowledge_base_id, category_id })
    const draft = settlePublishing(
      undefined,
      {
        id: newId(),
        knowledge_base_id: input.knowledge_base_id,
        category_id,
        title: input.title,
        slug: input.slug ?? slugify(input.title, SLUG_FALLBACK),
        content,
        content_plain,
        status: input.status ?? 'draft',
        visibility: input.visibility ?? 'public',
        language: input.language ?? 'en',
        version_number: 1,
        revision: 1,
        indexing_status: 'not_started',
        indexing_due_at: null,
        indexing_attempts: 0,
        indexed_at: null,
        published_at: null,
        created_at: ctx.now,
        updated_at: ctx.now,
      },
      ctx.now,
    )
    if (input.slug !== undefined) await insertArticle(tx, ctx.orgId, draft)
    const slug =
      input.slug ??
      (await takeSlug(
        draft.slug,
        (candidate) => isSlugTaken(tx, ctx.orgId, candidate),
        (candidate) => insertUnlessSlugTaken(tx, ctx.orgId, { ...draft, slug: candidate }),
      ))
    const article = toArticle({ ...draft, slug })
    const isPublished = article.status === 'published'
    const happened = ['article.created' as const, ...(isPublished ? ['article.published' as const] : [])]
    await emitAll(
      tx,
      articleEvents,
      happened.map((type) => ({ orgId: ctx.orgId, type, payload: article })),
      ctx.now,
    )
    if (isPublished) await announce(tx, INDEXING_TOPIC, [ctx.orgId])
    return article
  })
}

export const getArticle = async (ctx: Context, id: string): Promise<Article> =>
  toArticle(await requireArticle(ctx.read, ctx.orgId, id))

export async function updateArticle(
  ctx: Context,
  id: string,
  { category_id, knowledge_base_id, ...input }: ArticleUpdate,
  settings: ArticleSettings,
): Promise<Article> {
  const text = input.content === undefined ? {} : { content_plain: await toPlain(input.content, settings) }
  return ctx.write(async (tx) => {
    const place = (row: ArticleRow) => ({
      knowledge_base_id: knowledge_base_id ?? row.knowledge_base_id,
      category_id: category_id === undefined ? row.category_id : category_id,
    })
    const isMoved = category_id !== undefined || knowledge_base_id !== undefined
    if (isMoved) await keepPlace(tx, ctx.orgId, place(await requireArticle(tx, ctx.orgId, id)))
    const row = await lockArticle(tx, ctx.orgId, id)
    // It may have been moved by another in between.
    if (isMoved) await keepPlace(tx, ctx.orgId, place(row))
    return toArticle(await changeArticle(tx, ctx, row, { ...sentFields(input), ...text, ...place(row) }))
  })
}

export function deleteArticle(ctx: Context, id: string): Promise<void> {
  return ctx.write(async (tx) => {
    await lockArticle(tx, ctx.orgId, id)
    await deleteArticles(tx, ctx, [id])
  })
}
