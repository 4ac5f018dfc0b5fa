import { type Kysely, sql } from 'kysely'
import { TABLES_LEFT_OUT } from '../../../main/tables-left-out.ts'
import { columnTypes } from '../../../platform/db/column-types.ts'
import { listTables } from '../../../platform/db/dump/catalogue.ts'
import { batchesOf } from '../../../platform/db/index.ts'
import type { Database } from '../../../platform/db/types.ts'
import { newId } from '../../../platform/ids/index.ts'
import { fillChatbots, fillConversations, fillQuestions } from './chat.ts'
import { fillArticles, fillKnowledgeBases } from './knowledge.ts'
import { fillPages, fillSubmissions } from './pages.ts'
import { ACME, type AwkwardRow, GLOBEX, type Insert, ON_THE_SECOND, TEXTS, THEN } from './values.ts'
import { fillWebhooks } from './webhooks.ts'

export { ACME, GLOBEX } from './values.ts'

/** More than one batch, and not a multiple of the batch size. */
const TAGS = 2499
const LONG_PAYLOADS = 40

const PAYLOADS = [
  ...[{}, [], { nested: { list: [1, 1.5, -7, 9007199254740991, 1e21, null, true, ''] } }, { text: TEXTS }],
  ...['a text', '', '"', 5, 0, false, true, null],
]

/** Creates a table for the tests: its rows can refer to later rows of the same table, and its boolean may be null. */
export async function createAwkwardTable({ kysely, engine }: Database): Promise<void> {
  const types = columnTypes[engine]
  await kysely.schema
    .createTable('awkward')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('parent_id', types.id, (column) => column.references('awkward.id'))
    .addColumn('flag', types.boolean)
    .addColumn('data', types.json)
    .execute()
}

/** Inserts data that could be lost or changed between the engines. */
export async function fillWithAwkwardData(database: Database): Promise<void> {
  // One of the tables exists in tests only, and the rows leave out columns that have a default.
  const kysely = database.kysely as unknown as Kysely<Record<string, AwkwardRow>>
  const insert: Insert = async (table, rows) => {
    for (const some of batchesOf(rows, 500)) await kysely.insertInto(table).values(some).execute()
  }
  const org = { created_at: THEN, updated_at: ON_THE_SECOND }
  await insert('organisations', [
    { ...org, id: ACME, name: TEXTS[0], slug: 'acme', rate_per_minute: 5, rate_per_hour: null },
    { ...org, id: GLOBEX, name: TEXTS[1], slug: 'globex', rate_per_minute: null, rate_per_hour: 9007199254740991 },
  ])
  const key = { org_id: ACME, prefix: 'wm_live_abcd', last_four: 'wxyz', created_at: THEN }
  const times = { expires_at: '9999-12-31T23:59:59.999+00:00', paused_at: THEN, revoked_at: THEN, last_used_at: THEN }
  const never = { expires_at: null, paused_at: null, revoked_at: null, last_used_at: null }
  await insert('api_keys', [
    { ...key, ...times, id: newId(), name: TEXTS[2], hash: 'one' },
    { ...key, ...never, id: newId(), name: TEXTS[3], hash: 'two' },
  ])
  const request = { org_id: ACME, credential_id: newId(), method: 'POST', path: '/v1/article-tags', created_at: THEN }
  const stored = { body_hash: 'hash', status: 201, body: '1.c2VhbGVk', request_id: 'req_0' }
  await insert(
    'idempotent_answers',
    TEXTS.map((text) => ({ ...request, ...stored, key: text })),
  )
  await insert('tombstones', [{ org_id: ACME, id: newId(), kind: 'article_tag', deleted_at: THEN }])

  const event = { org_id: ACME, type: 'article.updated', created_at: THEN }
  const long = Array.from({ length: LONG_PAYLOADS }, (_, number) => ({ number, text: '长'.repeat(100_000) }))
  const payloads = [...PAYLOADS, ...long].map((payload) => ({
    ...event,
    id: newId(),
    payload: JSON.stringify(payload),
  }))
  await insert('events', payloads)

  await fillWebhooks(insert, { ...event, payload: '{}' })
  // A replay leaves the delivery in another status than its last attempt.
  await sql`update webhook_deliveries set status = 'pending' where status = 'delivered'`.execute(database.kysely)

  const tag = (org_id: string, name: string) => ({ id: newId(), org_id, name, name_folded: name, created_at: THEN })
  await insert(
    'article_tags',
    Array.from({ length: TAGS }, (_, number) => tag(ACME, `${TEXTS[0]} ${number}`)),
  )
  await insert('article_tags', [tag(GLOBEX, 'kept'), tag(GLOBEX, 'deleted')])
  await sql`delete from article_tags where name = 'deleted'`.execute(database.kysely)

  await fillArticles(insert, await fillKnowledgeBases(insert))
  await fillPages(insert)
  await fillSubmissions(insert)
  await fillQuestions(insert)
  await fillChatbots(insert)
  await fillConversations(insert)

  const [child, parent, orphan] = [newId(), newId(), newId()]
  await insert('awkward', [{ id: parent, parent_id: null, flag: true, data: null }])
  await insert('awkward', [{ id: child, parent_id: parent, flag: false, data: JSON.stringify('text') }])
  await insert('awkward', [{ id: orphan, parent_id: null, flag: null, data: JSON.stringify([1]) }])
}

/** Returns every row of every table in a backup, as queries see it. */
export async function readEverything({ kysely, engine }: Database): Promise<Record<string, unknown[]>> {
  const everything: Record<string, unknown[]> = {}
  for (const { name, key } of await listTables(kysely, engine, TABLES_LEFT_OUT)) {
    const order = sql.join(key.map((column) => sql.ref(column)))
    const { rows } = await sql`select * from ${sql.table(name)} order by ${order}`.execute(kysely)
    everything[name] = rows.map((row) => ({ ...(row as object) }))
  }
  return everything
}
