import { sql } from 'kysely'
import {
  columnsExcept,
  compiled,
  containsFolded,
  type Db,
  insertMissingRows,
  type Row,
  searchText,
  sortKey,
  type Tx,
  unlessTaken,
  withPrefix,
} from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

const COLUMNS = columnsExcept('chatbots', 'org_id', 'name_key', 'search_text')
export type ChatbotValues = Row<'chatbots', typeof COLUMNS>
type Counters = Pick<Row<'chatbot_counters'>, 'conversation_count' | 'last_active_at'>
export type ChatbotRow = ChatbotValues & Counters
type Status = Row<'chatbots'>['status']

const SLUG_KEY = 'chatbots_org_slug_key'

const select = (db: Db, orgId: OrgId) =>
  db
    .selectFrom('chatbots as b')
    .innerJoin('chatbot_counters as c', 'c.chatbot_id', 'b.id')
    .select([...withPrefix('b', COLUMNS), 'c.conversation_count', 'c.last_active_at'])
    .where('b.org_id', '=', orgId)

const byId = compiled((db: Db, orgId: OrgId, id: string) => select(db, orgId).where('b.id', '=', id))

export const selectChatbot = async (db: Db, orgId: OrgId, id: string): Promise<ChatbotRow | undefined> =>
  (await byId(db, orgId, id))[0]

/** The oldest chatbots that everyone may talk to. */
export const selectOpenChatbots = (db: Db, orgId: OrgId, limit: number) =>
  db
    .selectFrom('chatbots')
    .select(['public_slug', 'knowledge_base_ids', 'category_ids', 'article_ids'])
    .where('org_id', '=', orgId)
    .where('status', '=', 'active')
    .where('password_hash', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute()

interface Filters {
  status: Status | undefined
  search: string | undefined
}

const filtered = (db: Db, orgId: OrgId, { status, search }: Filters) =>
  select(db, orgId)
    .$if(status !== undefined, (query) => query.where('b.status', '=', status as Status))
    .$if(Boolean(search), (query) => query.where(containsFolded('search_text', search as string)))

interface Page {
  sort: 'recent' | 'name'
  limit: number
  offset: number
}

const paged = (db: Db, orgId: OrgId, filters: Filters, { sort, limit, offset }: Page) => {
  const rows = filtered(db, orgId, filters)
  const sorted =
    sort === 'name'
      ? rows.orderBy('b.name_key').orderBy('b.id')
      : rows.orderBy('b.created_at', 'desc').orderBy('b.id', 'desc')
  return sorted.limit(limit).offset(offset)
}

export const selectChatbots = (db: Db, orgId: OrgId, filters: Filters, page: Page): Promise<ChatbotRow[]> =>
  paged(db, orgId, filters, page).execute()

/** The columns that can be long. */
const LONG = [
  'description',
  'welcome_message',
  'welcome_subtitle',
  'system_prompt',
  'away_message',
  'translations',
  'suggestions',
  'page_ids',
  'article_ids',
  'category_ids',
  'knowledge_base_ids',
] as const
const LONG_BYTES = sql.join(
  LONG.map((column) => sql`coalesce(octet_length(cast(${sql.ref(`b.${column}`)} as text)), 0)`),
  sql` + `,
)

/** Sizes are in the order of `selectChatbots`. */
export const selectSizes = (db: Db, orgId: OrgId, filters: Filters, page: Page): Promise<{ bytes: number }[]> =>
  paged(db, orgId, filters, page).clearSelect().select(sql<number>`${LONG_BYTES}`.as('bytes')).execute()

export const countChatbots = async (db: Db, orgId: OrgId, filters: Filters): Promise<number> => {
  const { count } = await filtered(db, orgId, filters)
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

const bySlug = compiled((db: Db, orgId: OrgId, slug: string) =>
  db.selectFrom('chatbots').select('id').where('org_id', '=', orgId).where('slug', '=', slug),
)

export const isSlugTaken = async (db: Db, orgId: OrgId, slug: string): Promise<boolean> =>
  (await bySlug(db, orgId, slug)).length > 0

/** Returns false if any chatbot has ever had this public slug. */
export const insertAddress = async (tx: Tx, orgId: OrgId, publicSlug: string, id: string): Promise<boolean> =>
  (await insertMissingRows(tx, 'chatbot_addresses', [{ id: publicSlug, org_id: orgId, chatbot_id: id }])).length > 0

const derived = ({ name, slug }: ChatbotValues) => ({ name_key: sortKey(name), search_text: searchText(name, slug) })

export const insertChatbot = async (tx: Tx, orgId: OrgId, values: ChatbotValues): Promise<void> => {
  const insert = tx.insertInto('chatbots').values({ ...values, ...derived(values), org_id: orgId })
  await unlessTaken(SLUG_KEY, 'slug', values.slug, insert.execute())
}

/** Returns false if the slug is taken. */
export const insertUnlessSlugTaken = async (tx: Tx, orgId: OrgId, values: ChatbotValues): Promise<boolean> => {
  const inserted = await tx
    .insertInto('chatbots')
    .values({ ...values, ...derived(values), org_id: orgId })
    .onConflict((conflict) => conflict.columns(['org_id', 'slug']).doNothing())
    .returning('id')
    .execute()
  return inserted.length > 0
}

export const insertCounters = async (tx: Tx, orgId: OrgId, chatbotId: string): Promise<void> => {
  const row = {
    chatbot_id: chatbotId,
    org_id: orgId,
    conversation_count: 0,
    last_active_at: null,
    load_noticed_at: null,
  }
  await tx.insertInto('chatbot_counters').values(row).execute()
}

export const updateChatbotRow = async (tx: Tx, orgId: OrgId, values: ChatbotValues): Promise<void> => {
  const { id, public_slug: _, created_at: __, ...changed } = values
  const update = tx
    .updateTable('chatbots')
    .set({ ...changed, ...derived(values) })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
  await unlessTaken(SLUG_KEY, 'slug', values.slug, update.execute())
}

export const deleteChatbotRows = async (tx: Tx, orgId: OrgId, id: string): Promise<void> => {
  await tx.deleteFrom('chatbot_counters').where('org_id', '=', orgId).where('chatbot_id', '=', id).execute()
  await tx.deleteFrom('chatbots').where('org_id', '=', orgId).where('id', '=', id).execute()
}

/** Does nothing if the chatbot was deleted. */
export const updateCounters = async (
  tx: Tx,
  orgId: OrgId,
  chatbotId: string,
  added: number,
  lastActiveAt: string,
): Promise<void> => {
  await tx
    .updateTable('chatbot_counters')
    .set({ conversation_count: sql`conversation_count + ${added}`, last_active_at: lastActiveAt })
    .where('org_id', '=', orgId)
    .where('chatbot_id', '=', chatbotId)
    .execute()
}

/** Returns false if the owners were told after `since`. A time after `until` is of a clock that was set back since. */
export const updateLoadNoticed = async (
  tx: Tx,
  orgId: OrgId,
  chatbotId: string,
  now: string,
  { since, until }: { since: string; until: string },
): Promise<boolean> => {
  const updated = await tx
    .updateTable('chatbot_counters')
    .set({ load_noticed_at: now })
    .where('org_id', '=', orgId)
    .where('chatbot_id', '=', chatbotId)
    .where((eb) =>
      eb.or([eb('load_noticed_at', 'is', null), eb('load_noticed_at', '<=', since), eb('load_noticed_at', '>', until)]),
    )
    .returning('chatbot_id')
    .execute()
  return updated.length > 0
}

const lastActiveAt = compiled((db: Db, orgId: OrgId, chatbotId: string) =>
  db
    .selectFrom('chatbot_counters')
    .select('last_active_at')
    .where('org_id', '=', orgId)
    .where('chatbot_id', '=', chatbotId),
)

/** Null if nobody has used it yet; undefined if there is no such chatbot. */
export const selectLastActiveAt = async (db: Db, orgId: OrgId, chatbotId: string): Promise<string | null | undefined> =>
  (await lastActiveAt(db, orgId, chatbotId))[0]?.last_active_at

/** Those of these ids that rows of the organisation have. */
export const selectOwnIds = async (
  db: Db,
  orgId: OrgId,
  table: 'pages' | 'articles' | 'article_categories' | 'knowledge_bases',
  ids: readonly string[],
): Promise<string[]> => {
  const rows = await db
    .selectFrom(table)
    .select('id')
    .where('org_id', '=', orgId)
    .where('id', 'in', [...ids])
    .execute()
  return rows.map(({ id }) => id)
}
