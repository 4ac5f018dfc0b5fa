import { join } from 'node:path'
import { timestamp } from '../../src/platform/clock/index.ts'
import { type Database, sortKey, type Tables } from '../../src/platform/db/index.ts'
import { openDatabase } from '../../src/platform/db/open.ts'
import { newId, newIdAt, type OrgId } from '../../src/platform/ids/index.ts'
import { insertTestRows } from '../../src/testing/engines/insert-test-rows.ts'
import { createCodes } from '../support/scan-tables.ts'
import { credentials, type RunningService } from '../support/service.ts'
import { settle } from '../support/settle.ts'
import { whole } from '../support/table.ts'
import type { Filled } from './lists.ts'

const BATCH = 5000
const FIRST_MS = Date.UTC(2026, 0, 1)
const SPACING_MS = 60_000

/** How many rows the lists have. */
export interface Sizes {
  submissions: number
  conversations: number
  articles: number
  codes: number
}

/** The column's value in the older and in the newer half of the rows, so that filters can contradict each other. */
const half = <Value>(n: number, count: number, [older, newer]: readonly Value[]): Value =>
  (n < count / 2 ? older : newer) as Value
const isEven = (n: number): boolean => n % 2 === 0

/** Inserts rows directly: through the API they would take hours. */
export async function fill(
  name: string,
  service: RunningService,
  databaseUrl: string | undefined,
  sizes: Sizes,
): Promise<Filled> {
  const { first, dataDir } = service
  const location = databaseUrl === undefined ? { file: join(dataDir, 'waymark.db') } : { url: databaseUrl }
  const knowledgeBases = [await create(service, 'Machines'), await create(service, 'Furniture')]
  await createCodes(service, sizes.codes)
  const pair = () => [newId(), newId()]
  const filled: Filled = {
    ...{ pages: pair(), chatbots: pair(), categories: pair(), members: pair(), products: pair() },
    knowledgeBases,
  }
  const database = await openDatabase(location)
  try {
    const store = storeIn(database, name)
    await storeCategories(database, first.orgId, filled)
    await store('submissions', sizes.submissions, (n) => submission(first.orgId, filled, n, sizes.submissions))
    await store('conversations', sizes.conversations, (n) => conversation(first.orgId, filled, n, sizes.conversations))
    const ids = Array.from({ length: sizes.articles }, (_, n) => newIdAt(timeOf(n)))
    await store('articles', sizes.articles, (n) => article(first.orgId, filled, ids, n))
    await store('article_texts', sizes.articles, (n) => articleText(first.orgId, ids, n))
    await settle(database, location)
  } finally {
    await database.close()
  }
  return filled
}

const storeIn =
  (database: Database, name: string) =>
  async <Table extends keyof Tables & string>(table: Table, count: number, rowOf: (n: number) => Tables[Table]) => {
    for (let from = 0; from < count; from += BATCH) {
      const rows = Array.from({ length: Math.min(BATCH, count - from) }, (_, n) => rowOf(from + n))
      await database.write((tx) => insertTestRows(tx, table, rows))
    }
    process.stderr.write(`${name}: ${whole(count)} rows in ${table}\n`)
  }

async function create({ port, first }: RunningService, name: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/knowledge-bases`, {
    method: 'POST',
    headers: { ...credentials(first), 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })
  if (!response.ok) throw new Error(`creating a knowledge base returned ${response.status}`)
  return ((await response.json()) as { id: string }).id
}

const timeOf = (n: number): number => FIRST_MS + n * SPACING_MS

function submission(orgId: OrgId, filled: Filled, n: number, count: number): Tables['submissions'] {
  const at = timestamp(timeOf(n))
  return {
    id: newIdAt(timeOf(n)),
    org_id: orgId,
    page_id: half(n, count, filled.pages),
    number: n + 1,
    status: half(n, count, ['resolved', 'new'] as const),
    priority: isEven(n) ? 'high' : 'none',
    flagged: !isEven(n),
    assignee_id: half(n, count, filled.members),
    ...{ resolved_by: null, resolved_at: null, notes: null },
    data: [{ label: 'What happened?', value: `The door ${n} does not close.` }],
    metadata: {},
    ...{ spam_reason: null, viewed_at: null, duration_seconds: 20, scan_id: null, qr_code_id: null },
    product_id: half(n, count, filled.products),
    object_id: null,
    search_text: `the door ${n} does not close. it stands open by a hand's breadth since the last storm.`,
    created_at: at,
    updated_at: at,
    ...{ scanned_name: null, scanned_external_id: null, language: 'en', reply_count: 0 },
  }
}

function conversation(orgId: OrgId, filled: Filled, n: number, count: number): Tables['conversations'] {
  const at = timestamp(timeOf(n))
  return {
    id: newIdAt(timeOf(n)),
    org_id: orgId,
    chatbot_id: half(n, count, filled.chatbots),
    status: half(n, count, ['resolved', 'open'] as const),
    priority: isEven(n) ? 'high' : 'medium',
    ...{ title: null, contact_email: null, contact_name: null, contact_phone: null },
    assigned_to: half(n, count, filled.members),
    language: 'en',
    last_message_preview: 'How do I descale it?',
    last_message_at: at,
    ...{ agent_read_at: null, visitor_read_at: null, visitor_seen_at: null, visitor_mailed_at: null },
    ...{ resolved_at: null, closed_at: null, scan_id: null, qr_code_id: null, product_id: null, object_id: null },
    ...{ created_at: at, active_at: at, changed_at: at, team_mailed_at: null },
  }
}

async function storeCategories(database: Database, orgId: OrgId, filled: Filled): Promise<void> {
  const rows = filled.categories.map((id, n) => ({
    id,
    org_id: orgId,
    knowledge_base_id: filled.knowledgeBases[n] as string,
    parent_id: null,
    name: `Category ${n}`,
    slug: `category-${n}`,
    description: null,
    icon: 'folder-closed',
    sort_order: n,
    translations: {},
    created_at: timestamp(FIRST_MS),
  }))
  await database.write((tx) => insertTestRows(tx, 'article_categories', rows))
}

const titleOf = (n: number): string => `Care for chair ${String(n).padStart(7, '0')}`

function article(orgId: OrgId, filled: Filled, ids: readonly string[], n: number): Tables['articles'] {
  const at = timestamp(timeOf(n))
  return {
    id: ids[n] as string,
    org_id: orgId,
    knowledge_base_id: half(n, ids.length, filled.knowledgeBases),
    category_id: half(n, ids.length, filled.categories),
    slug: `article-${n}`,
    title_key: sortKey(titleOf(n)),
    status: half(n, ids.length, ['archived', 'draft'] as const),
    visibility: isEven(n) ? 'internal' : 'public',
    language: isEven(n) ? 'en' : 'de',
    is_empty: false,
    version_number: 1,
    ...{ indexing_status: 'not_started' as const, indexing_due_at: null, indexing_attempts: 0, indexed_at: null },
    ...{ published_at: null, created_at: at, updated_at: at },
  }
}

function articleText(orgId: OrgId, ids: readonly string[], n: number): Tables['article_texts'] {
  const at = timestamp(timeOf(n))
  return {
    id: newIdAt(timeOf(n)),
    org_id: orgId,
    article_id: ids[n] as string,
    language: isEven(n) ? 'en' : 'de',
    title: titleOf(n),
    revision: 1,
    ...{ created_at: at, updated_at: at },
    content: `Dust **chair ${n}** with a soft, dry cloth.`,
    content_plain: `Dust chair ${n} with a soft, dry cloth.`,
    search_text: titleOf(n).toLowerCase(),
    warnings: [],
  }
}
