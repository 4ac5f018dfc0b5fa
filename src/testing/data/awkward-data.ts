import { sql } from 'kysely'
import { TABLES_LEFT_OUT } from '../../main/tables-left-out.ts'
import { columnTypes } from '../../platform/db/column-types.ts'
import { listTables } from '../../platform/db/dump/catalogue.ts'
import type { Database } from '../../platform/db/types.ts'
import type { OrgId } from '../../platform/ids/index.ts'
import { newId } from '../../platform/ids/index.ts'

export const ACME = '0197f3a2-4c1e-7b1a-9d55-3f6f0c2b8e11' as OrgId
export const GLOBEX = '0197f3a2-4c1e-7b1a-9d55-3f6f0c2b8e12' as OrgId

const THEN = '2026-06-09T22:50:58.806+00:00'
const ON_THE_SECOND = '2026-06-09T22:50:58.000+00:00'
/** More than one batch, and not a multiple of the batch size. */
const TAGS = 2499
const LONG_PAYLOADS = 40
const DELIVERIES = 3

const TEXTS = [
  '🏭👩‍🔧 emoji',
  'شركة أكمي عربية',
  '\u2028 \u2029 \r\n \t "quotes" \\n {"a":[1]}',
  "it's; drop table",
  '',
]
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
  const insert = async (table: string, rows: object[]) => {
    for (let from = 0; from < rows.length; from += 500) {
      await (database.kysely as any)
        .insertInto(table)
        .values(rows.slice(from, from + 500))
        .execute()
    }
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

/** Triggers create deliveries and fan-outs, and attempts change them. A restore must not run any a second time. */
async function fillWebhooks(insert: (table: string, rows: object[]) => Promise<void>, event: object): Promise<void> {
  const endpoint_id = newId()
  const endpoint = { id: endpoint_id, org_id: ACME, grant_id: 'grant', url: 'https://acme.com/hooks', description: '' }
  const state = { is_active: false, disabled_reason: TEXTS[0], failing_since: THEN, failed_attempts: 12 }
  const secrets = { secret: '1.c2VhbGVk', old_secret: '1.b2xk', old_secret_expires_at: ON_THE_SECOND }
  const times = { created_at: THEN, updated_at: ON_THE_SECOND }
  const events = JSON.stringify(['article.updated'])
  await insert('webhook_endpoints', [{ ...endpoint, ...state, ...secrets, ...times, events }])
  await insert('event_subscriptions', [{ org_id: ACME, type: 'article.updated', endpoint_id }])
  await insert(
    'events',
    Array.from({ length: DELIVERIES }, () => ({ ...event, id: newId() })),
  )
  const batch_id = newId()
  await insert('events', [{ ...event, id: batch_id, batch_id, batch_size: 200 }])
  const delivery = { org_id: ACME, endpoint_id, id: newId(), type: 'webhook.test', created_at: THEN }
  const waiting = { status: 'pending', attempt_count: 0, next_attempt_at: THEN, test_payload: JSON.stringify(TEXTS) }
  await insert('webhook_deliveries', [{ ...delivery, ...waiting }])
  const attempt = { org_id: ACME, endpoint_id, delivery_id: delivery.id, started_at: THEN, duration_ms: 15_000 }
  const [refused, taken] = [
    { number: 1, response_status: null, error: 'timeout', status_after: 'pending', next_attempt_at: ON_THE_SECOND },
    { number: 2, response_status: 200, response_body: TEXTS[2], status_after: 'delivered' },
  ]
  await insert('webhook_attempts', [{ ...attempt, ...refused }])
  await insert('webhook_attempts', [{ ...attempt, ...taken }])
  await insert('delivery_leases', [{ org_id: ACME, holder: 'a process', leased_until: THEN }])
}

/** Inserts a complete and a minimal knowledge base, and the address of a deleted one. Returns the id of the first. */
async function fillKnowledgeBases(insert: (table: string, rows: object[]) => Promise<void>): Promise<string> {
  const base = { org_id: ACME, default_language: 'en', created_at: THEN, updated_at: ON_THE_SECOND }
  const contact = { contact_email: 'help@acme.com', contact_phone: '+49 30 1234567' }
  const full = { ...contact, description: TEXTS[2], logo_url: 'https://acme.com/logo.svg', primary_color: '#1a2b3c' }
  const bare = { contact_email: null, contact_phone: null, description: null, logo_url: null, primary_color: null }
  const [care, repair] = [newId(), newId()]
  await insert('knowledge_bases', [
    { ...base, ...full, id: care, name: TEXTS[0], slug: 'care', public_slug: 'aaaaaaaaaaaa', is_published: true },
    { ...base, ...bare, id: repair, name: TEXTS[1], slug: 'repair', public_slug: 'bbbbbbbbbbbb', is_published: false },
  ])
  await insert('knowledge_base_addresses', [
    { id: 'aaaaaaaaaaaa', org_id: ACME, knowledge_base_id: care },
    { id: 'bbbbbbbbbbbb', org_id: ACME, knowledge_base_id: repair },
    { id: 'cccccccccccc', org_id: ACME, knowledge_base_id: newId() },
  ])
  return care
}

/** Inserts a complete and a minimal page, and what remains of a deleted one. */
async function fillPages(insert: (table: string, rows: object[]) => Promise<void>): Promise<void> {
  const [full, bare, deleted] = [newId(), newId(), newId()]
  const times = { created_at: THEN, updated_at: ON_THE_SECOND }
  const look = { background: '{"type":"color"}', island: '{"opacity":0.1}', proof_of_work: 'always' }
  const page = { org_id: ACME, default_language: 'ja', revision: 'r', ...look, ...times }
  const texts = { description: TEXTS[2], meta_title: TEXTS[0], meta_description: TEXTS[1] }
  const urls = { favicon_url: 'https://acme.com/a.png', og_image_url: 'https://acme.com/b.png' }
  const none = { description: null, meta_title: null, meta_description: null, favicon_url: null, og_image_url: null }
  const lists = { languages: '["ja","de"]', notify_user_ids: JSON.stringify([newId()]) }
  const empty = { languages: '["ja"]', notify_user_ids: '[]', translations: '{}' }
  const translations = JSON.stringify({ de: { title: TEXTS[1] } })
  await insert('pages', [
    { ...page, ...texts, ...urls, ...lists, translations, id: full, title: TEXTS[0], ...addressed('a', 'active') },
    { ...page, ...none, ...empty, id: bare, title: TEXTS[3], ...addressed('b', 'draft') },
  ])
  const block = { id: newId(), type: 'heading', config: { text: { ja: TEXTS[0], de: TEXTS[1] } }, sort_order: 0 }
  await insert('page_blocks', [
    { page_id: full, org_id: ACME, blocks: JSON.stringify([block]) },
    { page_id: bare, org_id: ACME, blocks: '[]' },
  ])
  const counter = { org_id: ACME, view_count: 9007199254740991, submission_count: 0 }
  const ids = [full, bare, deleted]
  await insert(
    'page_counters',
    ids.map((page_id) => ({ ...counter, page_id })),
  )
  await insert(
    'page_addresses',
    ids.map((page_id, n) => ({ id: slugOf('abc'.charAt(n)), org_id: ACME, page_id })),
  )
}

/** Inserts submissions of a page that was deleted: one with everything, one with nothing, and one that was erased. */
async function fillSubmissions(insert: (table: string, rows: object[]) => Promise<void>): Promise<void> {
  const page_id = newId()
  const answer = (value: unknown) => ({ type: 'form_text', label: TEXTS[1], value, order: 0 })
  const same = { org_id: ACME, page_id, created_at: THEN, updated_at: ON_THE_SECOND, search_text: TEXTS[2] }
  const empty = {
    ...{ status: 'spam', priority: 'none', flagged: false, assignee_id: null, resolved_by: null, resolved_at: null },
    ...{ notes: null, data: '{}', metadata: '{}', spam_reason: 'too_fast', viewed_at: null, duration_seconds: null },
    ...{ scan_id: null, qr_code_id: null, product_id: null, object_id: null },
  }
  const full = {
    ...{ status: 'resolved', priority: 'high', flagged: true, assignee_id: newId(), resolved_by: newId() },
    ...{ resolved_at: THEN, notes: TEXTS[3], metadata: JSON.stringify({ a: TEXTS[1] }), spam_reason: null },
    data: JSON.stringify({ a: answer(TEXTS[0]), b: answer(-0.5), c: answer([]), d: answer(null) }),
    ...{ viewed_at: ON_THE_SECOND, duration_seconds: 0, scan_id: newId(), qr_code_id: newId(), product_id: newId() },
    object_id: newId(),
  }
  const id = newId()
  await insert('submissions', [
    { ...same, ...full, id, number: 1 },
    { ...same, ...empty, id: newId(), number: 3 },
  ])
  const activity = { org_id: ACME, submission_id: id, type: 'assigned', created_at: THEN }
  await insert('submission_events', [
    { ...activity, id: newId(), actor_id: newId(), from_value: null, to_value: newId() },
    { ...activity, id: newId(), actor_id: null, from_value: 'new', to_value: null },
  ])
  await insert('submission_keys', [{ id: TEXTS[1], org_id: ACME, submission_id: id, created_at: THEN }])
  await insert('erased_submissions', [{ id: newId(), org_id: ACME, page_id, number: 2, erased_at: THEN }])
}

/** Inserts a conversation with everything, and one with nothing. */
async function fillConversations(insert: (table: string, rows: object[]) => Promise<void>): Promise<void> {
  const [full, bare, tag] = [newId(), newId(), newId()]
  const same = { org_id: ACME, chatbot_id: newId(), created_at: THEN, active_at: ON_THE_SECOND, changed_at: THEN }
  const everything = {
    ...{ status: 'resolved', priority: 'high', title: TEXTS[0], language: 'ja', assigned_to: newId() },
    ...{ contact_email: 'visitor@acme.example', contact_name: TEXTS[1], contact_phone: TEXTS[2] },
    ...{ last_message_preview: TEXTS[3], last_message_at: ON_THE_SECOND, agent_read_at: THEN, visitor_read_at: THEN },
    ...{ visitor_seen_at: THEN, visitor_mailed_at: THEN, resolved_at: THEN, closed_at: ON_THE_SECOND },
    ...{ scan_id: newId(), qr_code_id: newId(), product_id: newId(), object_id: newId() },
  }
  const nothing = {
    ...{ status: 'bot_active', priority: 'low', title: null, language: 'en', assigned_to: null },
    ...{ contact_email: null, contact_name: null, contact_phone: null },
    ...{ last_message_preview: null, last_message_at: null, agent_read_at: null, visitor_read_at: null },
    ...{ visitor_seen_at: null, visitor_mailed_at: null, resolved_at: null, closed_at: null },
    ...{ scan_id: null, qr_code_id: null, product_id: null, object_id: null },
  }
  await insert('conversations', [
    { ...same, ...everything, id: full },
    { ...same, ...nothing, id: bare },
  ])
  const message = { org_id: ACME, conversation_id: full, created_at: THEN }
  const part = { id: newId(), type: 'text', text: TEXTS[2] }
  const question = newId()
  await insert('messages', [
    { ...message, id: question, role: 'user', metadata: '{}', parts: '[]', message_key: TEXTS[1], answer_to: null },
    {
      ...{ ...message, id: newId(), role: 'assistant', message_key: null, answer_to: question },
      ...{ metadata: JSON.stringify({ a: TEXTS[1] }), parts: JSON.stringify([part]) },
    },
  ])
  const of = { org_id: ACME, conversation_id: full }
  await insert('conversation_files', [
    { ...of, file_id: newId(), file_name: TEXTS[0], media_type: 'image/jpeg', size_bytes: 0 },
  ])
  const token = { ...of, expires_at: ON_THE_SECOND, created_at: THEN }
  await insert('conversation_tokens', [
    { ...token, id: TEXTS[1], purpose: 'visitor' },
    { ...token, id: TEXTS[2], purpose: 'resume' },
  ])
  await insert('conversation_changes', [{ ...of, created_at: ON_THE_SECOND }])
  await insert('conversation_notes', [
    { ...of, id: newId(), author_id: newId(), content: TEXTS[3], created_at: THEN },
    { ...of, id: newId(), author_id: null, content: TEXTS[0], created_at: THEN },
  ])
  await insert('conversation_tags', [
    { id: tag, org_id: ACME, name: TEXTS[0], name_folded: TEXTS[0], color: '#1a2b3c', created_at: THEN },
    { id: newId(), org_id: ACME, name: TEXTS[1], name_folded: TEXTS[1], color: null, created_at: THEN },
  ])
  await insert('conversation_tag_assignments', [{ ...of, tag_id: tag }])
}

/** Inserts a group of questions with keys, an article's group, and votes. */
async function fillQuestions(insert: (table: string, rows: object[]) => Promise<void>): Promise<void> {
  const times = { first_asked_at: THEN, last_asked_at: ON_THE_SECOND }
  const group = { org_id: ACME, language: 'ja', asked_count: 9007199254740991, not_helpful_count: 0, ...times }
  const example = { question: TEXTS[2], count: 1, conversation_id: null, message_id: newId(), last_asked_at: THEN }
  const [asked, voted] = [newId(), newId()]
  const json = { terms: JSON.stringify(TEXTS), examples: JSON.stringify([example]) }
  const question = { kind: 'question', article_id: null, scope_id: newId(), question: TEXTS[0], ...json }
  const empty = { kind: 'article', scope_id: ACME, question: '', terms: '[]', examples: '[]' }
  await insert('question_groups', [
    { ...group, ...question, id: asked, helpful_count: 3, last_conversation_id: newId(), is_listed: true },
    { ...group, ...empty, id: voted, helpful_count: 0, last_conversation_id: null, article_id: null, is_listed: false },
  ])
  await insert('question_keys', [
    { org_id: ACME, key: 281474976710655, group_id: asked },
    { org_id: ACME, key: 0, group_id: asked },
  ])
  const vote = { org_id: ACME, created_at: THEN }
  await insert('answer_votes', [
    { ...vote, message_id: newId(), group_id: asked, is_helpful: false, is_counted: true },
    { ...vote, message_id: newId(), group_id: null, is_helpful: true, is_counted: false },
  ])
  await insert('article_votes', [{ ...vote, id: TEXTS[1], article_id: newId(), language: 'ja', is_helpful: true }])
}

/** Inserts a complete and a minimal chatbot, what remains of a deleted one, and what their answers cost. */
async function fillChatbots(insert: (table: string, rows: object[]) => Promise<void>): Promise<void> {
  const [full, bare, deleted] = [newId(), newId(), newId()]
  const times = { created_at: THEN, updated_at: ON_THE_SECOND }
  const same = { org_id: ACME, name_key: TEXTS[1], search_text: TEXTS[2], revision: 'r', ...times }
  const texts = {
    description: TEXTS[2],
    welcome_message: TEXTS[0],
    welcome_subtitle: TEXTS[1],
    system_prompt: TEXTS[3],
  }
  const look = { model: 'embedded', primary_color: '#1a2b3c', logo_url: 'https://acme.com/logo.svg', tone: 'casual' }
  const support = { human_support_enabled: true, password_hash: '$argon2id$', away_message: TEXTS[0] }
  const hours = { time_zone: 'Asia/Kolkata', days: { monday: [{ from: '09:00', to: '24:00' }], sunday: [] } }
  const ids = JSON.stringify([newId(), newId()])
  const lists = { page_ids: ids, article_ids: ids, category_ids: '[]', knowledge_base_ids: ids }
  const none = {
    ...{ description: null, welcome_message: null, welcome_subtitle: null, system_prompt: null, model: null },
    ...{ primary_color: null, logo_url: null, tone: null, suggestions: null, human_support_enabled: false },
    ...{ password_hash: null, office_hours: null, away_message: null, location: '{}', web_search_enabled: false },
    ...{ page_ids: '[]', article_ids: '[]', category_ids: '[]', knowledge_base_ids: '[]' },
  }
  const place = { location: JSON.stringify({ enabled: true, lat: -0.5, lng: 179.999999, place_id: null }) }
  const json = { ...place, suggestions: JSON.stringify(TEXTS), office_hours: JSON.stringify(hours) }
  const everything = { ...texts, ...look, ...support, ...lists, ...json, web_search_enabled: true }
  await insert('chatbots', [{ ...same, ...everything, id: full, name: TEXTS[0], ...addressed('a', 'active') }])
  await insert('chatbots', [{ ...same, ...none, id: bare, name: TEXTS[3], ...addressed('b', 'draft') }])
  await insert('chatbot_counters', [
    { chatbot_id: full, org_id: ACME, conversation_count: 9007199254740991, last_active_at: ON_THE_SECOND },
    { chatbot_id: bare, org_id: ACME, conversation_count: 0, last_active_at: null },
  ])
  await insert(
    'chatbot_addresses',
    [full, bare, deleted].map((chatbot_id, n) => ({ id: slugOf('abc'.charAt(n)), org_id: ACME, chatbot_id })),
  )
  await insert('credit_balances', [{ org_id: ACME, balance: 9007199254740991, updated_at: THEN }])
  const entry = { org_id: ACME, balance: 9007199254740991, created_at: THEN }
  await insert('credit_entries', [
    { ...entry, id: newId(), amount: 9007199254740991, reason: 'adjustment', message_id: null },
    { ...entry, id: newId(), amount: -1, reason: 'answer', message_id: newId() },
    { ...entry, id: newId(), amount: -1, reason: 'answer', message_id: null },
  ])
}

const slugOf = (letter: string): string => letter.repeat(12)
const addressed = (letter: string, status: string) => ({ slug: letter, public_slug: slugOf(letter), status })

/** Inserts a subcategory whose id sorts before its parent's, and articles with all related rows. */
async function fillArticles(
  insert: (table: string, rows: object[]) => Promise<void>,
  knowledge_base_id: string,
): Promise<void> {
  const [parent, child] = [newId(), newId()].sort().reverse()
  const category = { org_id: ACME, knowledge_base_id, icon: 'star', sort_order: 7, created_at: THEN }
  await insert('article_categories', [
    { ...category, id: parent, parent_id: null, name: TEXTS[0], slug: 'a', description: null },
  ])
  await insert('article_categories', [
    { ...category, id: child, parent_id: parent, name: TEXTS[1], slug: 'b', description: TEXTS[2] },
  ])
  const [tagged, related] = [newId(), newId()]
  const times = { created_at: THEN, updated_at: ON_THE_SECOND }
  const states = { status: 'archived', visibility: 'internal', version_number: 2, indexing_status: 'not_started' }
  const article = { org_id: ACME, knowledge_base_id, language: 'ja', title_key: TEXTS[1], ...states, ...times }
  await insert('articles', [
    { ...article, id: tagged, category_id: child, slug: 'a', is_empty: true, published_at: THEN },
    { ...article, id: related, category_id: null, slug: 'b', is_empty: false, published_at: null },
  ])
  await insert('article_old_slugs', [{ org_id: ACME, slug: 'c', article_id: tagged, created_at: THEN }])
  const text = { org_id: ACME, title: TEXTS[0], revision: 3, ...times, search_text: '' }
  const long = { content: '长'.repeat(150_000), content_plain: TEXTS[2] }
  await insert('article_texts', [
    { ...text, ...long, id: newId(), article_id: tagged, language: 'ja' },
    { ...text, id: newId(), article_id: tagged, language: 'de', content: '', content_plain: '' },
    { ...text, id: newId(), article_id: related, language: 'ja', content: TEXTS[3], content_plain: TEXTS[3] },
  ])
  const version = {
    org_id: ACME,
    article_id: tagged,
    version_number: 1,
    title: TEXTS[1],
    language: 'ja',
    created_at: THEN,
  }
  await insert('article_versions', [{ ...version, id: newId(), change_summary: null, content: TEXTS[2] }])
  const tag = { id: newId(), org_id: ACME, name: 'tagged', name_folded: 'tagged', created_at: THEN }
  await insert('article_tags', [tag])
  await insert('article_tag_assignments', [{ org_id: ACME, article_id: tagged, tag_id: tag.id }])
  await insert('article_relations', [{ org_id: ACME, article_id: tagged, related_article_id: related, sort_order: 0 }])
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
