import { noteDeleted } from '../../../platform/audit/index.ts'
import { timestamp, toMs } from '../../../platform/clock/index.ts'
import type { ContentLanguage } from '../../../platform/contract/languages.ts'
import type { CursorPage, Position } from '../../../platform/contract/pagination.ts'
import type { Db } from '../../../platform/db/index.ts'
import { insertTombstone, notFoundOrGone } from '../../../platform/db/tombstones.ts'
import { type Context, cursorPage } from '../../../platform/http/index.ts'
import { type ChatbotArticles, selectChatbotArticles } from './access-queries.ts'
import type { ListQuery, UnansweredGroup } from './contract.ts'
import { type GroupFilters, type ListedGroup, selectGroups } from './list-queries.ts'
import { deleteGroup, type GroupRow, selectGroup } from './queries.ts'
import { findUsable } from './usable-articles.ts'

export const listUnanswered = (
  ctx: Context,
  query: ListQuery,
  after: Position | undefined,
): Promise<CursorPage<UnansweredGroup>> =>
  cursorPage<ListedGroup, UnansweredGroup>(
    query,
    (limit) => selectGroups(readerFor(ctx, query), ctx.orgId, toFilters(query), after, limit),
    toGroup,
  )

/** Merges two lists: the questions to the chatbot, and the articles of the organisation that it may use. */
export async function listUnansweredOf(
  ctx: Context,
  chatbotId: string,
  query: ListQuery,
  after: Position | undefined,
): Promise<CursorPage<UnansweredGroup>> {
  const articles = await requireChatbot(ctx.read, ctx, chatbotId)
  const db = readerFor(ctx, query)
  const filters = toFilters(query)
  return cursorPage<ListedGroup, UnansweredGroup>(
    query,
    async (limit) => {
      const questions = await selectGroups(db, ctx.orgId, { ...filters, scopeId: chatbotId }, after, limit)
      const ofArticles = await selectArticleGroups(ctx, articles, filters, after, limit)
      return [...questions, ...ofArticles].sort(byPosition(query)).slice(0, limit)
    },
    toGroup,
  )
}

/** Reads on past the articles that the chatbot may not use, until there are enough. */
const READ_ON_ROWS = 500

async function selectArticleGroups(
  ctx: Context,
  articles: ChatbotArticles,
  filters: GroupFilters,
  after: Position | undefined,
  limit: number,
): Promise<ListedGroup[]> {
  const found: ListedGroup[] = []
  let [position, size, db] = [after, limit, ctx.read]
  for (;;) {
    const groups = await selectGroups(db, ctx.orgId, { ...filters, scopeId: ctx.orgId }, position, size)
    const ids = groups.flatMap(({ article_id }) => article_id ?? [])
    const usable = await findUsable(db, ctx.orgId, articles, ids)
    found.push(...groups.filter(({ article_id }) => article_id !== null && usable.has(article_id)))
    if (found.length >= limit || groups.length < size) return found.slice(0, limit)
    // What follows may be slow.
    position = groups.at(-1)
    size = READ_ON_ROWS
    db = ctx.readLong
  }
}

export const deleteUnanswered = (ctx: Context, id: string): Promise<void> => removeGroup(ctx, id, () => true)

/** The group may be of an article, too: it is in the list of every chatbot that may use the article. */
export async function deleteUnansweredOf(ctx: Context, chatbotId: string, id: string): Promise<void> {
  await requireChatbot(ctx.read, ctx, chatbotId)
  await removeGroup(ctx, id, ({ kind, scope_id }) => kind === 'article' || scope_id === chatbotId)
}

function removeGroup(ctx: Context, id: string, isMeant: (group: GroupRow) => boolean): Promise<void> {
  return ctx.write(async (tx) => {
    const group = await selectGroup(tx, ctx.orgId, id)
    const isDeleted = group !== undefined && isMeant(group) && (await deleteGroup(tx, ctx.orgId, id))
    if (!isDeleted) throw await notFoundOrGone(tx, ctx.orgId, 'unanswered_group', id)
    await insertTombstone(tx, ctx.orgId, 'unanswered_group', id, ctx.now)
    noteDeleted(tx, toGroup(group))
  })
}

async function requireChatbot(db: Db, { orgId }: Context, id: string): Promise<ChatbotArticles> {
  const articles = await selectChatbotArticles(db, orgId, id)
  if (articles === undefined) throw await notFoundOrGone(db, orgId, 'chatbot', id)
  return articles
}

/** The time is no part of the index for the most frequent groups, so that many rows may be read. */
const readerFor = (ctx: Context, { since, sort }: ListQuery): Db =>
  since !== undefined && sort === 'count' ? ctx.readLong : ctx.read

const toFilters = ({ language, since, sort }: ListQuery): GroupFilters => ({
  scopeId: undefined,
  language,
  since: since && timestamp(toMs(since)),
  sort,
})

/** Highest first, as the database sorts. */
const byPosition =
  ({ sort }: ListQuery) =>
  (one: ListedGroup, other: ListedGroup): number => {
    const [a, b] = sort === 'count' ? [one.asked_count, other.asked_count] : [one.last_asked_at, other.last_asked_at]
    if (a !== b) return a < b ? 1 : -1
    return one.id < other.id ? 1 : -1
  }

const toGroup = (row: GroupRow): UnansweredGroup => ({
  object: 'unanswered_group',
  id: row.id,
  kind: row.kind,
  chatbot_id: row.kind === 'question' ? row.scope_id : null,
  article_id: row.article_id,
  language: row.language as ContentLanguage,
  question: row.question,
  count: row.asked_count,
  not_helpful_count: row.not_helpful_count,
  helpful_count: row.helpful_count,
  examples: row.examples,
  comments: row.comments.map(({ text, created_at }) => ({ text, created_at })),
  first_asked_at: row.first_asked_at,
  last_asked_at: row.last_asked_at,
})
