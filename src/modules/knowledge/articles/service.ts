import { sentFields } from '../../../platform/contract/sent-fields.ts'
import { announce } from '../../../platform/db/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import { newId } from '../../../platform/ids/index.ts'
import { emitAll } from '../../../platform/outbox/index.ts'
import { insertWithSlug, slugify } from '../../../platform/text/slugify.ts'
import { keepAssetsOf } from './asset-references.ts'
import { changeArticle } from './change.ts'
import type { Article, ArticleCreate, ArticleUpdate } from './contract.ts'
import { articleEvents } from './events.ts'
import { lockArticle, lockPlacement } from './lock.ts'
import { refuseOldSlugOfAnother } from './old-slugs.ts'
import { type ArticleSettings, toPlain } from './plain.ts'
import { INDEXING_TOPIC, withPublishingState } from './publishing.ts'
import { insertArticle, insertUnlessSlugTaken, isSlugTaken } from './queries.ts'
import { requireArticle } from './require.ts'
import { toArticle } from './to-article.ts'

/** Used for titles without Latin letters or digits. */
const SLUG_FALLBACK = 'article'

export async function createArticle(ctx: Context, input: ArticleCreate, settings: ArticleSettings): Promise<Article> {
  const content = input.content ?? ''
  const derived = await toPlain(ctx, content, settings)
  return ctx.write(async (tx) => {
    const category_id = input.category_id ?? null
    const { knowledge_base_id } = input
    const shown = await lockPlacement(tx, ctx.orgId, { knowledge_base_id, category_id })
    const draft = withPublishingState(
      undefined,
      {
        id: newId(),
        knowledge_base_id,
        category_id,
        ...shown,
        title: input.title,
        slug: input.slug ?? slugify(input.title, SLUG_FALLBACK),
        content,
        ...derived,
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
    const slug = await insertWithSlug(input.slug, draft.slug, {
      insert: async () => {
        await insertArticle(tx, ctx.orgId, draft)
        await refuseOldSlugOfAnother(tx, ctx.orgId, draft)
      },
      isTaken: (derived) => isSlugTaken(tx, ctx.orgId, derived),
      insertUnlessTaken: (derived) => insertUnlessSlugTaken(tx, ctx.orgId, { ...draft, slug: derived }),
    })
    await keepAssetsOf(tx, ctx.orgId, draft.id, content, ctx.now)
    const article = toArticle({ ...draft, slug }, settings.publicUrl)
    const isPublished = article.status === 'published'
    const eventTypes = ['article.created' as const, ...(isPublished ? ['article.published' as const] : [])]
    await emitAll(
      tx,
      articleEvents,
      eventTypes.map((type) => ({ orgId: ctx.orgId, type, payload: article })),
      ctx.now,
    )
    if (isPublished) await announce(tx, INDEXING_TOPIC, [ctx.orgId])
    return article
  })
}

export const getArticle = async (ctx: Context, id: string, publicUrl: string): Promise<Article> =>
  toArticle(await requireArticle(ctx.read, ctx.orgId, id), publicUrl)

export async function updateArticle(
  ctx: Context,
  id: string,
  input: ArticleUpdate,
  settings: ArticleSettings,
): Promise<Article> {
  const sent = sentFields(input)
  const derived = sent.content === undefined ? {} : await toPlain(ctx, sent.content, settings)
  const isMoved = sent.knowledge_base_id !== undefined || sent.category_id !== undefined
  return ctx.write(async (tx) => {
    if (isMoved) await lockPlacement(tx, ctx.orgId, { ...(await requireArticle(tx, ctx.orgId, id)), ...sent })
    const row = await lockArticle(tx, ctx.orgId, id)
    // Another transaction may have moved the article between the read and the lock.
    const shown = isMoved ? await lockPlacement(tx, ctx.orgId, { ...row, ...sent }) : {}
    const { publicUrl } = settings
    return toArticle(await changeArticle(tx, ctx, row, { ...sent, ...derived, ...shown }, publicUrl), publicUrl)
  })
}
