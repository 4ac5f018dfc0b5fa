import { foldCase, type Tx } from '../../../platform/db/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import { OperatorError } from '../../../platform/errors/operator-error.ts'
import type { Context } from '../../../platform/http/index.ts'
import { createCategory, updateCategory } from '../article-categories/index.ts'
import { putRelations } from '../article-relations/index.ts'
import { createTag } from '../article-tags/index.ts'
import { addTranslation, updateTranslation } from '../article-translations/index.ts'
import { type ArticleSettings, createArticle, replaceArticleTags, toPlain, updateArticle } from '../articles/index.ts'
import { ArticleHead, parseTextFile, TranslationHead } from './article-file.ts'
import type { CategoryPlan } from './category-plan.ts'
import { Complaints } from './complaints.ts'
import { readText } from './folder.ts'
import type { ArticleStep, Plan, TranslationStep } from './plan.ts'
import { selectArticlesBySlug, selectTagIds } from './queries.ts'
import { type Base, inChunks } from './stored.ts'

export interface Work {
  /** Each change is a transaction of its own, and happens at its own time. */
  contextNow: () => Context
  base: Base
  dir: string
  settings: ArticleSettings
  onImported: (path: string, count: number) => void
}

type Ids = ReadonlyMap<string, string>

/** What the services answer is a page of a list that nobody looks at here. */
const ANY_PAGE = { page: 1, page_size: 1 }

/** Relations come last, because they may lead to any article. */
export async function applyPlan(work: Work, plan: Plan): Promise<void> {
  const categoryIds = await applyCategories(work, plan.categories)
  for (const name of plan.tags) await createTag(work.contextNow(), { name })
  const articleIds = new Map<string, string>()
  let count = 0
  for (const step of plan.articles) {
    articleIds.set(step.slug, await naming(step, () => applyArticle(work, step, categoryIds)))
    count += 1 + step.translations.length
    work.onImported(step.path, count)
  }
  for (const step of plan.articles) {
    const { related } = step.change
    if (related === undefined || (step.isNew && related.length === 0)) continue
    await naming(step, () => applyRelations(work, idOf(articleIds, step.slug), related))
  }
}

async function applyCategories({ contextNow, base }: Work, { ids: existing, steps }: CategoryPlan): Promise<Ids> {
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

/** An article with its tags and translations, in one transaction. Answers its id. */
async function applyArticle(work: Work, step: ArticleStep, categoryIds: Ids): Promise<string> {
  const { contextNow, settings } = work
  const content = step.isRewritten ? await readContent(work, step.path, ArticleHead) : undefined
  const contents = new Map<TranslationStep, string>()
  for (const translation of step.translations) {
    contents.set(translation, await readContent(work, translation.path, TranslationHead))
  }
  const ctx = contextNow()
  return ctx.write(async (tx) => {
    const inside = within(tx, ctx)
    const id = await writeArticle(inside, work, step, content, categoryIds)
    for (const [{ language, title, isNew }, content] of contents) {
      if (isNew) await addTranslation(inside, id, { language, title, content }, settings)
      else await updateTranslation(inside, id, language, { title, content }, settings)
    }
    return id
  })
}

/** What the services then do belongs to the one transaction. */
const within = (tx: Tx, ctx: Context): Context =>
  Object.assign(Object.create(ctx), { read: tx, readLong: tx, write: <T>(work: (tx: Tx) => Promise<T>) => work(tx) })

async function writeArticle(
  ctx: Context,
  { settings, base }: Work,
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
    await replaceArticleTags(ctx, id, { tag_ids: found.map((tag) => tag.id) }, ANY_PAGE)
  }
  return id
}

async function applyRelations({ contextNow }: Work, id: string, related: readonly string[]): Promise<void> {
  const ctx = contextNow()
  const ids = new Map<string, string>()
  for (const some of inChunks(related)) {
    for (const article of await selectArticlesBySlug(ctx.read, ctx.orgId, some)) ids.set(article.slug, article.id)
  }
  const related_article_ids = related.map((slug) => idOf(ids, slug))
  await putRelations(ctx, id, { related_article_ids, mode: 'replace' }, ANY_PAGE)
}

/** Read again rather than kept: all contents at once may be more than fits into the memory. It is rendered by now. */
async function readContent(
  { dir, settings }: Work,
  path: string,
  head: typeof ArticleHead | typeof TranslationHead,
): Promise<string> {
  const complaints = new Complaints()
  const complain = complaints.about(path)
  const text = await readText(dir, path, complain)
  const file = text === undefined ? undefined : parseTextFile(text, head, complain)
  complaints.refuse('A file was changed while it was imported. Put it right, and start again:')
  const content = file?.content ?? ''
  await toPlain(content, settings)
  return content
}

function idOf(ids: Ids, slug: string): string {
  const id = ids.get(slug)
  if (id === undefined) throw new OperatorError(`${slug} was deleted while it was imported. Start again.`)
  return id
}

/** What somebody else changed meanwhile can still refuse a file; then it is said which. */
async function naming<T>({ path }: { path: string }, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new OperatorError(`${path}: ${error.message} What came before it is imported.`, { cause: error })
  }
}
