import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Service, startService } from '../../../main/service.ts'
import type { StatementObserver } from '../../../platform/db/types.ts'
import { createLogger } from '../../../platform/telemetry/logging.ts'
import { Client } from '../../../testing/client.ts'
import { createCentre, type TestCentre } from '../../../testing/data/help-centre.ts'
import { explain } from '../../../testing/engines/plans.ts'
import { type Statement, testConfig, useHarness } from '../../../testing/harness.ts'

const harness = useHarness({ role: 'api' })

/** A second service without a worker, so that only the statements of the pages are recorded. */
let visited: Service
let statements: Statement[] = []
let centre: TestCentre
beforeAll(async () => {
  centre = await createCentre(harness)
  const top = await centre.category({ slug: 'top' })
  const inner = await centre.category({ slug: 'inner', parent_id: top.id })
  const oak = await centre.article({ slug: 'oak', category_id: inner.id })
  const pine = await centre.article({ slug: 'pine' })
  await centre.tenant.put(`/v1/articles/${oak.id}/relations`, { related_article_ids: [pine.id] })
  await centre.multiplyCategory(top.id, 200)
  await centre.multiplyCategory(inner.id, 200)
  await centre.multiplyArticle(oak.id, 600)
  const draft = await centre.article({ slug: 'draft', status: 'draft', category_id: inner.id })
  await centre.multiplyArticle(draft.id, 1000)
  await centre.multiplyArticle(pine.id, 600)
  for (const owner of [centre.tenant, await harness.createTenant()]) {
    const other = await createCentre(harness, {}, owner)
    await other.multiplyArticle((await other.article()).id, 600)
    await other.multiplyCategory((await other.category({ slug: 'other' })).id, 200)
  }
})

/** Each page with the indexes that its statements must use. */
const PAGES: [path: string, indexes: string[]][] = [
  [
    '',
    [
      'knowledge_bases_public_slug_key',
      'articles_public_updated_idx',
      'article_categories_top',
      'articles_public_top_idx',
      'articles_public_category_idx',
    ],
  ],
  ['/en/categories', ['article_categories_top']],
  ['/en/categories?after=top-100', ['article_categories_top', 'article_categories_org_slug_key']],
  ['/en/categories?before=top-100', ['article_categories_top']],
  ['/en/categories?in=top&after=inner-100', ['article_categories_within']],
  ['/en/categories/inner', ['article_categories_org_slug_key', 'articles_public_category_idx']],
  ['/en/categories/inner?after=oak-400', ['articles_public_category_idx', 'articles_org_slug_key']],
  ['/en/categories/inner?before=oak-400', ['articles_public_category_idx']],
  ['/en/articles', ['articles_public_updated_idx']],
  ['/en/articles?after=oak-400', ['articles_public_updated_idx']],
  ['/en/articles?before=oak-400', ['articles_public_updated_idx']],
  ['/en/articles/oak', ['articles_org_slug_key', 'article_texts_article_language_key', 'article_relations_order_idx']],
  ['/de/feed.atom', ['articles_public_updated_idx']],
  ['/sitemap-2.xml', ['articles_public_updated_idx']],
]
// There are no chatbots here, so that PostgreSQL needs no index for them.
if (inject('engine') === 'sqlite') PAGES.push(['/en/articles/oak/feedback', ['chatbots_status_idx']])

// SQLite has no statistics, unless an operator analyses the database. PostgreSQL soon does so itself.
describe.each(inject('engine') === 'sqlite' ? ['without', 'with'] : ['with'])('%s statistics', (statistics) => {
  beforeAll(async () => {
    if (statistics === 'with') await sql`analyze`.execute(harness.service.database.kysely)
    // A new one, which has no pages in its cache.
    const config = { ...testConfig(harness), dataDir: join(harness.folder, `site-${statistics}`) }
    const observe: StatementObserver = (text, parameters) => void statements.push({ sql: text, parameters })
    visited = await startService(config, 'scan', createLogger('silent'), { observe })
  })
  afterAll(() => visited?.close())

  test.each(PAGES)('%s uses its indexes, without full scans or sorts', expectIndexes)
})

async function expectIndexes(path: string, indexes: string[]): Promise<void> {
  statements = []
  expect((await new Client(`http://127.0.0.1:${visited.port}`, undefined).get(`${centre.path}${path}`)).status).toBe(
    200,
  )
  // Only the sitemap counts all articles; that statement is left out, and what asks for waiting scans at any moment.
  const selects = statements.filter(
    ({ sql }) => /^(?:with|select (?!count))/.test(sql) && !sql.includes('journal_texts'),
  )
  const plans = await Promise.all(selects.map((statement) => explain(harness.service.database, statement)))
  expect(plans.length).toBeGreaterThan(0)
  for (const index of indexes) expect(plans.join('\n')).toContain(index)
  for (const plan of plans) {
    // Scanning the limited result of a subquery is fine.
    expect(plan).not.toMatch(/SCAN (?!latest|part|counted|tree|json_each|wanted|indexed|.*USING)|Seq Scan/)
    expect(plan).not.toMatch(/USE TEMP B-TREE FOR (?!DISTINCT)/)
    expect(plan).not.toMatch(/Sort Key/)
    // No index that includes drafts, which would be skipped row by row.
    expect(plan).not.toMatch(/\barticles_(?!public_|org_slug_key|pkey)\w+/)
  }
}
