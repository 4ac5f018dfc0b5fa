import { foldCase, type Tx } from '../../../platform/db/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import { OperatorError } from '../../../platform/errors/operator-error.ts'
import type { Context } from '../../../platform/http/index.ts'
import { createCategory, updateCategory } from '../article-categories/index.ts'
import { replaceRelations } from '../article-relations/index.ts'
import { createTag } from '../article-tags/index.ts'
import { createTranslation, updateTranslation } from '../article-translations/index.ts'
import { type ArticleSettings, createArticle, replaceArticleTags, toPlain, updateArticle } from '../articles/index.ts'
import { Problems } from './format/problems.ts'
import type { CategoryPlan } from './plan/category-plan.ts'
import type { ArticleStep, ImportPlan, TranslationStep } from './plan/plan.ts'
import type { TextReader } from './plan/text-reader.ts'
import { selectArticlesBySlug, selectTagIds } from './queries.ts'
import { type Base, inChunks } from './stored-articles.ts'

export interface ApplyInput {
  /** Called for each transaction, so that each has its own time. */
  contextNow: () => Context
  base: Base
  settings: ArticleSettings
  onImported: (path: string, count: number) => void
}

type Ids = ReadonlyMap<string, string>

/** The services return a page of a list, which is not used here. */
const UNUSED_PAGE = { page: 1, page_size: 1 }

/** Applies relations last, because they may refer to any article. */
export async function applyPlan(input: ApplyInput, plan: ImportPlan): Promise<void> {
  const categoryIds = await applyCategories(input, plan.categories)
  for (const name of plan.tags) await createTag(input.contextNow(), { name })
  const articleIds = new Map<string, string>()
  let count = 0
  for (const step of plan.articles) {
    articleIds.set(step.slug, await withPathInErrors(step, () => applyArticle(input, plan, step, categoryIds)))
    count += 1 + step.translations.length
    input.onImported(step.path, count)
  }
  for (const step of plan.articles) {
    const { related } = step.change
    if (related === undefined || (step.isNew && related.length === 0)) continue
    await withPathInErrors(step, () => applyRelations(input, idOf(articleIds, step.slug), related))
  }
}

async function applyCategories({ contextNow, base }: ApplyInput, { ids: existing, steps }: CategoryPlan): Promise<Ids> {
  const ids = new Map(existing)
  for (const step of steps) {
    const ctx = contextNow()
    const { parent, ...fields } = step.change
    const input = { ...fields, ...(parent !== undefined && { parent_id: parent && idOf(ids, parent) }) }
    const { id } = await ctx.write((tx) =>
      step.isNew
        ? createCategory(tx, ctx, { ...step.change, ...input, knowledge_base_id: base.id })
        : updateCategory(tx, ctx, step.id, input),
    )
    ids.set(step.slug, id)
  }
  return ids
}

/** Imports an article with its tags and translations in one transaction. Returns its ID. */
async function applyArticle(
  input: ApplyInput,
  { reader }: ImportPlan,
  step: ArticleStep,
  categoryIds: Ids,
): Promise<string> {
  const { contextNow, settings } = input
  const content = step.isRewritten ? await readContent(input, reader, step.path, 'article') : undefined
  const contents = new Map<TranslationStep, string>()
  for (const translation of step.translations) {
    contents.set(translation, await readContent(input, reader, translation.path, 'translation'))
  }
  const ctx = contextNow()
  return ctx.write(async (tx) => {
    const inner = inTransaction(tx, ctx)
    const id = await writeArticle(inner, input, step, content, categoryIds)
    for (const [{ language, title, isNew }, content] of contents) {
      if (isNew) await createTranslation(inner, id, { language, title, content }, settings)
      else await updateTranslation(inner, id, language, { title, content }, settings)
    }
    return id
  })
}

/** Returns a context whose reads and writes all belong to this transaction. */
const inTransaction = (tx: Tx, ctx: Context): Context => ({
  orgId: ctx.orgId,
  actor: ctx.actor,
  now: ctx.now,
  log: ctx.log,
  signal: ctx.signal,
  read: tx,
  readLong: tx,
  write: (work) => work(tx),
  writeInPieces: (work) => work(tx),
  pause: ctx.pause,
  // Read on access, because the context of an operator command throws here.
  get credential() {
    return ctx.credential
  },
})

async function writeArticle(
  ctx: Context,
  { settings, base }: ApplyInput,
  step: ArticleStep,
  content: string | undefined,
  categoryIds: Ids,
): Promise<string> {
  const { category, tags, related: _, ...fields } = step.change
  const input = {
    ...fields,
    ...(content !== undefined && { content }),
    ...(category !== undefined && { category_id: category && idOf(categoryIds, category) }),
  }
  const { id } = step.isNew
    ? await createArticle(
        ctx,
        { language: base.language, ...step.change, ...input, slug: step.slug, knowledge_base_id: base.id },
        settings,
      )
    : step
  if (!step.isNew && Object.keys(input).length > 0) await updateArticle(ctx, id, input, settings)
  if (tags !== undefined && !(step.isNew && tags.length === 0)) {
    const found = await selectTagIds(ctx.read, ctx.orgId, tags.map(foldCase))
    await replaceArticleTags(ctx, id, { tag_ids: found.map((tag) => tag.id) }, UNUSED_PAGE, settings.publicUrl)
  }
  return id
}

async function applyRelations(
  { contextNow, settings }: ApplyInput,
  id: string,
  related: readonly string[],
): Promise<void> {
  const ctx = contextNow()
  const ids = new Map<string, string>()
  for (const chunk of inChunks(related)) {
    for (const article of await selectArticlesBySlug(ctx.read, ctx.orgId, chunk)) ids.set(article.slug, article.id)
  }
  const related_article_ids = related.map((slug) => idOf(ids, slug))
  await replaceRelations(ctx, id, { related_article_ids, mode: 'replace' }, UNUSED_PAGE, settings.publicUrl)
}

/** Reads a content again, stores its pictures, and renders it so that the transaction that stores it gets the plain text from the cache. */
async function readContent(
  { contextNow, settings }: ApplyInput,
  reader: TextReader,
  path: string,
  kind: 'article' | 'translation',
): Promise<string> {
  const problems = new Problems()
  const content = (await reader.read(contextNow(), path, kind, problems.reporterFor(path))) ?? ''
  problems.throwIfAny('A file was changed during the import. Fix it, then start the import again:')
  await toPlain(contextNow(), content, settings)
  return content
}

function idOf(ids: Ids, slug: string): string {
  const id = ids.get(slug)
  if (id === undefined) throw new OperatorError(`${slug} was deleted during the import. Start the import again.`)
  return id
}

/** Adds the path to the errors of services. The files were checked, but the data may have changed since. */
async function withPathInErrors<T>({ path }: { path: string }, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new OperatorError(`${path}: ${error.message} All files before it were imported.`, { cause: error })
  }
}
