import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { createAccessToken } from '../testing/data/access-token.ts'
import { fillLists, type ListOwner } from '../testing/data/lists.ts'
import { explain, firstIndex, readCost } from '../testing/engines/plans.ts'
import { type Statement, useHarness } from '../testing/harness.ts'
import { allOperations } from '../testing/operations.ts'

// There is no worker, because its background queries would appear among the statements of a request.
const harness = useHarness({ role: 'api' })

/**
 * Every list, every sort order and every filter by one value, with the index that both engines must read it from: the one
 * that has the rows of the list in their order, and no others. `{name}` is a value of the owner.
 */
const LISTS = {
  '/v1/api-keys': 'api_keys_org_idx',
  '/v1/article-categories': 'article_categories_all_created_idx',
  '/v1/article-categories?knowledge_base_id={base}': 'article_categories_base_created_idx',
  '/v1/article-categories?knowledge_base_id={base}&root_only=true': 'article_categories_top_created_idx',
  '/v1/article-categories?parent_id={category}': 'article_categories_within_created_idx',
  '/v1/article-categories?root_only=true': 'article_categories_roots_created_idx',
  '/v1/article-categories?sort=sort_order': 'article_categories_all_idx',
  '/v1/article-categories?sort=sort_order&knowledge_base_id={base}': 'article_categories_base_idx',
  '/v1/article-categories?sort=sort_order&knowledge_base_id={base}&root_only=true': 'article_categories_top_idx',
  '/v1/article-categories?sort=sort_order&parent_id={category}': 'article_categories_within_idx',
  '/v1/article-categories?sort=sort_order&root_only=true': 'article_categories_roots_idx',
  '/v1/article-tags': 'article_tags_org_created_idx',
  '/v1/articles': 'articles_created_idx',
  '/v1/articles?category_id={category}': 'articles_category_created_idx',
  '/v1/articles?knowledge_base_id={base}': 'articles_base_created_idx',
  '/v1/articles?limit=2': 'articles_created_idx',
  '/v1/articles?limit=2&category_id={category}': 'articles_category_created_idx',
  '/v1/articles?limit=2&knowledge_base_id={base}': 'articles_base_created_idx',
  '/v1/articles?limit=2&status={article_status}': 'articles_status_idx',
  '/v1/articles?sort=recent': 'articles_updated_idx',
  '/v1/articles?sort=recent&knowledge_base_id={base}': 'articles_base_updated_idx',
  '/v1/articles?sort=title': 'articles_title_idx',
  '/v1/articles?sort=title&knowledge_base_id={base}': 'articles_base_title_idx',
  '/v1/articles?status={article_status}': 'articles_status_idx',
  '/v1/articles/{article}/relations': 'article_relations_order_idx',
  '/v1/articles/{article}/tags': 'article_tag_assignments_pkey',
  '/v1/articles/{article}/translations': 'article_texts_created_idx',
  '/v1/articles/{article}/versions': 'article_versions_number_key',
  '/v1/assets': 'assets_listed_idx',
  '/v1/audit-log': 'audit_log_org_idx',
  '/v1/audit-log?action={action}': 'audit_log_action_idx',
  '/v1/audit-log?actor={actor}': 'audit_log_actor_idx',
  '/v1/audit-log?resource={code}': 'audit_log_resource_idx',
  '/v1/chatbots': 'chatbots_created_idx',
  '/v1/chatbots?sort=name': 'chatbots_name_idx',
  '/v1/chatbots?status=archived': 'chatbots_status_idx',
  '/v1/chatbots?status=archived&sort=name': 'chatbots_status_name_idx',
  '/v1/chatbots/{chatbot}/unanswered': 'question_groups_scope_recent_idx',
  '/v1/chatbots/{chatbot}/unanswered?language=en': 'question_groups_scope_language_recent_idx',
  '/v1/chatbots/{chatbot}/unanswered?since=2026-01-01T00:00:00Z': 'question_groups_scope_recent_idx',
  '/v1/chatbots/{chatbot}/unanswered?sort=count': 'question_groups_scope_count_idx',
  '/v1/chatbots/{chatbot}/unanswered?sort=count&language=en': 'question_groups_scope_language_count_idx',
  '/v1/connected-applications': 'oauth_grants_org_idx',
  '/v1/conversation-tags': 'conversation_tags_org_created_idx',
  '/v1/conversations': 'conversations_created_idx',
  '/v1/conversations?assigned_to={assignee}': 'conversations_assigned_created_idx',
  '/v1/conversations?assigned_to={assignee}&include_unassigned=true': 'conversations_assigned_created_idx',
  '/v1/conversations?assigned_to={assignee}&include_unassigned=true&sort=-last_message_at':
    'conversations_assigned_active_idx',
  '/v1/conversations?assigned_to={assignee}&include_unassigned=true&sort=created_at':
    'conversations_assigned_created_idx',
  '/v1/conversations?assigned_to={assignee}&include_unassigned=true&sort=last_message_at':
    'conversations_assigned_active_idx',
  '/v1/conversations?assigned_to={assignee}&sort=-last_message_at': 'conversations_assigned_active_idx',
  '/v1/conversations?assigned_to={assignee}&sort=created_at': 'conversations_assigned_created_idx',
  '/v1/conversations?assigned_to={assignee}&sort=last_message_at': 'conversations_assigned_active_idx',
  '/v1/conversations?chatbot_id={chatbot}': 'conversations_chatbot_created_idx',
  '/v1/conversations?chatbot_id={chatbot}&sort=-last_message_at': 'conversations_chatbot_active_idx',
  '/v1/conversations?chatbot_id={chatbot}&sort=created_at': 'conversations_chatbot_created_idx',
  '/v1/conversations?chatbot_id={chatbot}&sort=last_message_at': 'conversations_chatbot_active_idx',
  '/v1/conversations?chatbot_id={chatbot}&assigned_to={assignee}': 'conversations_assigned_chatbot_created_idx',
  '/v1/conversations?chatbot_id={chatbot}&assigned_to={assignee}&include_unassigned=true&status=bot_active&sort=-last_message_at':
    'conversations_assigned_chatbot_active_idx',
  '/v1/conversations?chatbot_id={chatbot}&status=open&priority=high': 'conversations_chatbot_created_idx',
  '/v1/conversations?assigned_to={assignee}&status=bot_active&priority=medium&sort=last_message_at':
    'conversations_assigned_active_idx',
  '/v1/conversations?status=open&priority=high': 'conversations_state_created_idx',
  '/v1/conversations?priority=low,high': 'conversations_state_created_idx',
  '/v1/conversations?priority=low,high&sort=-last_message_at': 'conversations_state_active_idx',
  '/v1/conversations?priority=low,high&sort=created_at': 'conversations_state_created_idx',
  '/v1/conversations?priority=low,high&sort=last_message_at': 'conversations_state_active_idx',
  '/v1/conversations?sort=-last_message_at': 'conversations_active_idx',
  '/v1/conversations?sort=created_at': 'conversations_created_idx',
  '/v1/conversations?sort=last_message_at': 'conversations_active_idx',
  '/v1/conversations?status=agent_requested,open': 'conversations_state_created_idx',
  '/v1/conversations?status=agent_requested,open&sort=-last_message_at': 'conversations_state_active_idx',
  '/v1/conversations?status=agent_requested,open&sort=created_at': 'conversations_state_created_idx',
  '/v1/conversations?status=agent_requested,open&sort=last_message_at': 'conversations_state_active_idx',
  '/v1/conversations?status=resolved': 'conversations_state_created_idx',
  '/v1/conversations?status=resolved&sort=-last_message_at': 'conversations_state_active_idx',
  '/v1/conversations?status=resolved&sort=created_at': 'conversations_state_created_idx',
  '/v1/conversations?status=resolved&sort=last_message_at': 'conversations_state_active_idx',
  '/v1/conversations/{conversation}/messages': 'messages_conversation_idx',
  '/v1/conversations/{conversation}/messages?order=asc': 'messages_conversation_idx',
  '/v1/conversations/{conversation}/notes': 'conversation_notes_created_idx',
  '/v1/conversations/{conversation}/tags': 'conversation_tag_assignments_pkey',
  '/v1/credits/entries': 'credit_entries_org_idx',
  '/v1/custom-domains': 'custom_domains_org_created_idx',
  '/v1/custom-domain-routes': 'custom_domain_routes_org_created_idx',
  '/v1/custom-domain-routes?domain_id={domain}': 'custom_domain_routes_org_domain_created_idx',
  '/v1/events': 'events_org_idx',
  '/v1/events?type={event}': 'events_org_type_idx',
  '/v1/jobs': 'jobs_created_idx',
  '/v1/jobs?kind=destination_change_undo': 'jobs_kind_idx',
  '/v1/jobs?status=failed': 'jobs_status_idx',
  '/v1/jobs/{job}/items': 'job_items_job_idx',
  '/v1/jobs/{job}/items?result=failed': 'job_items_result_idx',
  '/v1/knowledge-bases': 'knowledge_bases_created_idx',
  '/v1/knowledge-bases?is_published={is_published}': 'knowledge_bases_published_idx',
  '/v1/objects': 'objects_created_idx',
  '/v1/objects?sort=name': 'objects_name_idx',
  '/v1/objects?sort=scans': 'scan_totals_org_idx',
  '/v1/objects?sort=type': 'objects_type_idx',
  '/v1/objects?type={type}': 'objects_type_idx',
  '/v1/objects/{object}/properties': 'key_values_owner_idx',
  '/v1/objects/{object}/history': 'target_versions_effective_idx',
  '/v1/objects/{object}/scans': 'scans_target_idx and scans_object_idx',
  '/v1/objects/{object}/url-params': 'key_values_owner_idx',
  '/v1/pages': 'pages_created_idx',
  '/v1/pages?status=archived': 'pages_status_idx',
  '/v1/products': 'products_created_idx',
  '/v1/products?sort=name': 'products_name_idx',
  '/v1/products?sort=scans': 'scan_totals_org_idx',
  '/v1/products?status=archived': 'products_status_idx',
  '/v1/products?status=archived&sort=name': 'products_status_name_idx',
  '/v1/products/{product}/history': 'target_versions_effective_idx',
  '/v1/products/{product}/images': 'product_images_product_idx',
  '/v1/products/{product}/links': 'product_links_product_idx',
  '/v1/products/{product}/properties': 'key_values_owner_idx',
  '/v1/products/{product}/scans': 'scans_target_idx',
  '/v1/products/{product}/url-params': 'key_values_owner_idx',
  '/v1/qr-codes': 'qr_codes_created_idx',
  '/v1/qr-codes?group_id={group}': 'qr_codes_group_created_idx',
  '/v1/qr-codes?object_id={object}': 'qr_codes_object_created_idx',
  '/v1/qr-codes?sort=name': 'qr_codes_name_idx',
  '/v1/qr-codes?sort=scans': 'scan_totals_org_idx',
  '/v1/qr-codes?status=active': 'qr_codes_status_idx',
  '/v1/qr-codes?status=active&sort=name': 'qr_codes_status_name_idx',
  '/v1/qr-codes?status=archived': 'qr_codes_status_idx',
  '/v1/qr-codes?status=archived&sort=name': 'qr_codes_status_name_idx',
  '/v1/qr-codes?status=archived&sort=scans': 'scan_totals_org_idx',
  '/v1/qr-codes/{code}/history': 'target_versions_effective_idx',
  '/v1/qr-codes/{code}/properties': 'key_values_owner_idx',
  '/v1/qr-codes/{code}/scans': 'scans_target_idx',
  '/v1/qr-codes/{code}/scans?from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z': 'scans_target_idx',
  '/v1/qr-codes/{code}/url-params': 'key_values_owner_idx',
  '/v1/qr-groups': 'qr_groups_created_idx',
  '/v1/qr-groups?sort=name': 'qr_groups_name_idx',
  '/v1/qr-groups/{group}/history': 'target_versions_effective_idx',
  '/v1/qr-groups/{group}/properties': 'key_values_owner_idx',
  '/v1/qr-groups/{group}/url-params': 'key_values_owner_idx',
  '/v1/scans': 'scans_pkey',
  '/v1/scans?from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z': 'scans_pkey',
  '/v1/submissions': 'submissions_created_idx',
  '/v1/submissions?assignee_id={assignee}': 'submissions_assignee_idx',
  '/v1/submissions?assignee_id={assignee}&page_id={form}': 'submissions_assignee_idx',
  '/v1/submissions?flagged=false&priority=none': 'submissions_state_idx',
  '/v1/submissions?flagged=true': 'submissions_state_idx',
  '/v1/submissions?from=2026-01-01T00:00:00Z&to=2027-02-01T00:00:00Z': 'submissions_created_idx',
  '/v1/submissions?object_id={object}': 'submissions_object_idx',
  '/v1/submissions?page_id={form}': 'submissions_page_idx',
  '/v1/submissions?page_id={form}&flagged=true&status=resolved': 'submissions_page_state_idx',
  '/v1/submissions?page_id={form}&flagged=false&priority=none&status=new': 'submissions_page_state_idx',
  '/v1/submissions?page_id={form}&status=resolved&from=2026-01-01T00:00:00Z&to=2027-02-01T00:00:00Z':
    'submissions_page_state_idx',
  '/v1/submissions?page_id={form}&from=2026-01-01T00:00:00Z&to=2027-02-01T00:00:00Z': 'submissions_page_idx',
  '/v1/submissions?priority=high': 'submissions_state_idx',
  '/v1/submissions?product_id={product}&status=new': 'submissions_product_idx',
  '/v1/submissions?product_id={product}': 'submissions_product_idx',
  '/v1/submissions?qr_code_id={code}': 'submissions_qr_code_idx',
  '/v1/submissions?status=resolved': 'submissions_state_idx',
  '/v1/submissions/{submission}/events': 'submission_events_created_idx',
  '/v1/submissions/{submission}/replies': 'submission_replies_created_idx',
  '/v1/team/members': 'members_org_joined_idx',
  '/v1/unanswered': 'question_groups_recent_idx',
  '/v1/unanswered?language=en': 'question_groups_language_recent_idx',
  '/v1/unanswered?since=2026-01-01T00:00:00Z': 'question_groups_recent_idx',
  '/v1/unanswered?sort=count': 'question_groups_count_idx',
  '/v1/unanswered?sort=count&language=en': 'question_groups_language_count_idx',
  '/v1/webhooks': 'webhook_endpoints_org_idx',
  '/v1/webhooks/{webhook}/deliveries': 'webhook_deliveries_pkey',
  '/v1/webhooks/{webhook}/deliveries?event={event}': 'webhook_deliveries_type_idx',
  '/v1/webhooks/{webhook}/deliveries?event={event}&status=failed': 'webhook_deliveries_status_type_idx',
  '/v1/webhooks/{webhook}/deliveries?status=failed': 'webhook_deliveries_status_idx',
}

/**
 * Event types, page templates and roles are not in the database. Search results are ordered by rank. There are few pending invitations, of
 * which the expired ones are left out.
 */
const WITHOUT_INDEX = [
  '/v1/event-types',
  '/v1/page-templates',
  '/v1/team/roles',
  '/v1/articles/search',
  '/v1/team/invitations',
]

const pattern = (path: string) => path.replace(/\?.*/, '').replace(/\{\w+\}/g, '{}')

test('LISTS has every list of the API', () => {
  const known = new Set([...Object.keys(LISTS), ...WITHOUT_INDEX].map(pattern))
  const lists = allOperations.filter(
    ({ declared: { method, offset, cursor } }) => method === 'GET' && (offset ?? cursor),
  )
  const missing = lists.map(({ declared }) => `/v1${declared.path}`).filter((path) => !known.has(pattern(path)))
  expect(missing).toEqual([])
})

/** Families that have offset lists too have a cursor list of the default order only. */
function isCursorList(list: string): boolean {
  const { declared } = allOperations.find(({ declared }) => pattern(`/v1${declared.path}`) === pattern(list)) ?? {}
  return declared?.method === 'GET' && declared.cursor !== undefined && !(declared.offset && list.includes('sort='))
}

/** Has about half of the rows of its organisation. */
let busy: ListOwner
/** Belongs to the same organisation. */
let quiet: ListOwner
let newcomer: ListOwner

beforeAll(async () => {
  if (harness.engine === 'postgres') await disableAutovacuum()
  const acme = await harness.createTenant()
  const common = { type: 'chair', article_status: 'draft', is_published: 'true', event: 'qr_code.created' }
  busy = await fillLists(harness, acme, 2000, common)
  const other = { type: 'table', article_status: 'published', is_published: 'false', event: 'object.created' }
  await fillLists(harness, acme, 2000, other)
  const rare = { type: 'lamp', article_status: 'archived', is_published: 'false', event: 'product.created' }
  quiet = await fillLists(harness, acme, 30, rare)
  newcomer = await fillLists(harness, await harness.createTenant(), 200, rare)
})

// SQLite has no statistics, unless an operator analyses the database. PostgreSQL has none at first.
describe.each(['without', 'with'])('%s statistics', (statistics) => {
  beforeAll(async () => {
    if (statistics === 'with') await sql`analyze`.execute(harness.service.database.kysely)
  })

  test.each(Object.entries(LISTS))('%s reads %s in order', async (path, index) => {
    for (const owner of [busy, quiet, newcomer]) await expectIndex(owner, path, index)
  })

  test("the list of a grant's webhook endpoints reads its own index in order", async () => {
    const client = harness.client(harness.scoped.issue(busy.orgId, ['webhooks.manage'], 'grant'))
    await harness.subscribe(client, ['qr_code.created'])
    await expectIndex({ ...busy, client }, '/v1/webhooks', 'webhook_endpoints_grant_idx')
  })

  test("the list of a person's connected applications reads its own index in order", async () => {
    const client = await harness.createPerson(busy, 'member')
    await createAccessToken(harness.service.database, { ...busy, ...client }, ['qr.view'], harness.nowMs())
    await expectIndex({ ...busy, client }, '/v1/connected-applications', 'oauth_grants_user_idx')
  })
})

const ARTICLE_FILTERS = [
  'knowledge_base_id={base}',
  'category_id={category}',
  'status={article_status}',
  'visibility=public',
  'language=en',
]
const PAIRS = ARTICLE_FILTERS.flatMap((one, place) =>
  ARTICLE_FILTERS.slice(place + 1).map((other) => `${one}&${other}`),
)

describe('articles are filtered in the index that has their order', () => {
  // PostgreSQL reads nothing but the index only where it knows that all rows are visible.
  beforeAll(() =>
    sql
      .raw(harness.engine === 'postgres' ? 'vacuum analyze articles' : 'analyze')
      .execute(harness.service.database.kysely),
  )

  test.each(['page=2', 'sort=recent', 'sort=title', 'limit=2'])('?%s', async (order) => {
    for (const filters of [...ARTICLE_FILTERS, ...PAIRS, ARTICLE_FILTERS.join('&')]) {
      const path = pathOf(busy, `/v1/articles?${order}&${filters}`)
      for (const page of await listStatements(() => busy.client.get(path))) {
        const plan = await explain(harness.service.database, page)
        expect(plan, filters).toMatch(/USING COVERING INDEX|Index Only Scan/)
        expect(plan, filters).not.toMatch(/TEMP B-TREE|Sort/)
      }
    }
  })

  test('the rows of a page are then read by their ids', async () => {
    const statements = await harness.statementsOf(() => busy.client.get('/v1/articles'))
    const rows = statements.find(({ sql }) => sql.includes('"title"'))
    const index = firstIndex(await explain(harness.service.database, rows as Statement))
    expect(['articles_pkey', 'article_texts_article_language_key']).toContain(index)
  })
})

/** Lists whose rows are joined with counters. */
const COUNTED = {
  '/v1/objects': ['recent', 'name', 'type', 'scans'],
  '/v1/products': ['recent', 'name', 'scans'],
  '/v1/products?status=archived': ['recent', 'name', 'scans'],
  '/v1/qr-codes': ['recent', 'name', 'scans'],
  '/v1/qr-codes?status=active': ['recent', 'name'],
  '/v1/qr-codes?group_id={group}': ['recent'],
  '/v1/qr-codes?object_id={object}': ['recent'],
}

describe('only the rows of a page are joined with their counters', () => {
  const tables = ['objects', 'products', 'qr_codes', 'scan_totals']
  beforeAll(() =>
    sql
      .raw(harness.engine === 'postgres' ? `vacuum analyze ${tables}` : 'analyze')
      .execute(harness.service.database.kysely),
  )

  test.each(Object.entries(COUNTED).flatMap(([list, sorts]) => sorts.map((sort) => [list, sort] as const)))(
    '%s by %s',
    async (list, sort) => {
      const path = withQuery(pathOf(busy, list), { sort, page: '2' })
      const [page] = await listStatements(() => busy.client.get(path))
      const plan = await explain(harness.service.database, page as Statement)
      expect(plan).toMatch(/USING COVERING INDEX|Index Only Scan/)
      expect(plan).not.toMatch(/TEMP B-TREE|Sort/)
    },
  )
})

/** A page that began at the wrong end of as many rows would read many more. */
const DEEP_PAGES = 8

/** These have no second page, because few rows have all of these values. */
const SHORT = new Set([
  '/v1/qr-codes/{code}/scans?from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z',
  '/v1/scans?from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z',
  '/v1/submissions?page_id={form}&flagged=true&status=resolved',
  '/v1/webhooks/{webhook}/deliveries?event={event}&status=failed',
  '/v1/webhooks/{webhook}/deliveries?status=failed',
])

describe('a page far behind the first reads no more than that', () => {
  beforeAll(() => sql`analyze`.execute(harness.service.database.kysely))

  test.each(Object.keys(LISTS).filter(isCursorList))('%s', async (list) => {
    const path = pathOf(busy, list.replace('limit=2&', '').replace('?limit=2', ''))
    const deep = await lastCursor(path, DEEP_PAGES)
    if (SHORT.has(list)) return expect(deep).toBeUndefined()
    const [first, last] = [await costOf(path, undefined), await costOf(path, deep)]
    expect(last).toBeGreaterThan(0)
    expect(last).toBeLessThanOrEqual(first + 4)
  })

  /** Some lists have fewer pages. */
  async function lastCursor(path: string, pagesMax: number): Promise<string | undefined> {
    let cursor: string | undefined
    for (let page = 0; page < pagesMax; page++) {
      const { status, body } = await busy.client.get(withQuery(path, { limit: '100', cursor }))
      expect(status).toBe(200)
      if (!body.next_cursor) break
      cursor = body.next_cursor
    }
    return cursor
  }

  /** What the statement that selects the page reads, for one row. */
  async function costOf(path: string, cursor: string | undefined): Promise<number> {
    const statements = await listStatements(() => busy.client.get(withQuery(path, { limit: '1', cursor })))
    const costs = statements.map((statement) => readCost(harness.service.database, harness.location, statement))
    return (await Promise.all(costs)).reduce((sum, cost) => sum + cost, 0)
  }
})

/** Checks the first page, and the second one of a cursor list. */
async function expectIndex(owner: ListOwner, list: string, index: string): Promise<void> {
  const path = pathOf(owner, list)
  const statements = await listStatements(async () => {
    const first = await owner.client.get(path)
    expect(first.status).toBe(200)
    const { next_cursor: cursor } = first.body
    if (cursor) expect((await owner.client.get(withQuery(path, { cursor }))).status).toBe(200)
  })
  for (const page of statements) {
    const plan = withoutMerging(page, await explain(harness.service.database, page))
    expect(index.split(' and '), plan).toContain(firstIndex(plan))
    expect(plan).not.toMatch(/TEMP B-TREE|SCAN (?!.*USING)|Sort|Seq Scan/)
    // The index must apply the filter, rather than a scan that checks each row. Two columns may be checked per row:
    // `org_id`, where the id of the parent resource already implies it, and `language`, as an article has few languages.
    expect(plan).not.toMatch(/Filter: (?!\(\(?(\w+\.)?(org_id|language) (=|<>) )/)
  }
}

/**
 * A page is found first. SQLite scans what it has found or merged, in order. PostgreSQL sorts a page of each range, and may compare
 * the ids of a page once more.
 */
const withoutMerging = ({ sql }: Statement, plan: string): string =>
  sql.includes('as "found" cross join')
    ? plan
        .replace(/^SCAN found$| Join Filter: \(\w+\.\w*id = \w+\.\w*id\)/m, '')
        .replace(/-> {2}Sort .*\n(?: *Disabled: true\n)? *Sort Key: .*\n/, '')
    : plan

const pathOf = (owner: ListOwner, list: string) => list.replace(/\{(\w+)\}/g, (_, name: string) => owner.values[name]!)

function withQuery(path: string, query: Record<string, string | undefined>): string {
  const sent = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(sent)}`
}

/** Returns the statements that selected pages of lists during `work`. */
async function listStatements(work: () => Promise<unknown>): Promise<Statement[]> {
  const statements = await harness.statementsOf(work)
  const pages = statements.filter(({ sql }) => /^select .* order by /s.test(sql))
  expect(pages).not.toHaveLength(0)
  return pages
}

/** It would also analyse the tables, at any moment. */
const disableAutovacuum = () =>
  sql`do $$ declare name text; begin
    for name in select tablename from pg_tables where schemaname = 'public' loop
      execute format('alter table %I set (autovacuum_enabled = off)', name);
    end loop;
  end $$`.execute(harness.service.database.kysely)
