import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../testing/client.ts'
import { explain } from '../testing/engines/plans.ts'
import { type Tenant, useHarness } from '../testing/harness.ts'
import { allOperations, ownBody, pathTo, resourceFamilies } from '../testing/operations.ts'

// Without a worker, because its background queries would appear among the statements of a request.
const harness = useHarness({ role: 'api' })

/** Every sort order and every equality filter needs an index too. */
const VARIANTS = [
  '/v1/events?type=custom_domain.verified',
  '/v1/qr-groups?sort=name',
  '/v1/qr-codes?sort=name',
  '/v1/qr-codes?sort=scans',
  '/v1/qr-codes?status=active',
  '/v1/qr-codes?status=archived',
  '/v1/qr-codes?status=archived&sort=scans',
  '/v1/objects?sort=name',
  '/v1/objects?sort=type',
  '/v1/objects?sort=scans',
  '/v1/objects?type=chair',
  '/v1/products?sort=name',
  '/v1/products?sort=scans',
  '/v1/products?status=archived',
  '/v1/knowledge-bases?is_published=true',
  '/v1/articles?sort=title',
  '/v1/articles?sort=recent',
  '/v1/articles?limit=5',
  '/v1/articles?status=published',
  '/v1/articles?knowledge_base_id={base}',
  '/v1/articles?category_id={category}',
  '/v1/article-categories?knowledge_base_id={base}',
  '/v1/article-categories?parent_id={category}',
  '/v1/article-categories?root_only=true',
  '/v1/article-categories?sort=sort_order',
  '/v1/article-categories?sort=sort_order&root_only=true',
  '/v1/article-categories?sort=sort_order&knowledge_base_id={base}',
  '/v1/article-categories?sort=sort_order&parent_id={category}',
  '/v1/article-categories?knowledge_base_id={base}&root_only=true',
  '/v1/article-categories?sort=sort_order&knowledge_base_id={base}&root_only=true',
  '/v1/scans?from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z',
  '/v1/webhooks/{webhook}/deliveries',
  '/v1/webhooks/{webhook}/deliveries?status=failed',
  '/v1/webhooks/{webhook}/deliveries?event=qr_group.created',
  '/v1/webhooks/{webhook}/deliveries?event=qr_group.created&status=failed',
]

/** Event types are not in the database. Search results are ordered by rank. */
const WITHOUT_INDEX_ORDER = ['event-types.list', 'article-search.list']

const lists = allOperations.filter(
  ({ id, declared }) =>
    declared.method === 'GET' &&
    (declared.offset ?? declared.cursor) !== undefined &&
    !WITHOUT_INDEX_ORDER.includes(id),
)

test.each(lists.map((operation) => [operation.id, operation] as const))(
  '%s reads its page in index order, without sorting',
  async (_id, operation) => {
    const acme = await harness.createTenant()
    const family = resourceFamilies.find(({ create }) => operation.declared.path.startsWith(create.declared.path))
    const created = family ? (await acme.post(pathTo(family.create), await ownBody(acme, family.create))).body : {}
    await expectIndexed(acme, pathTo(operation, created))
  },
)

describe('with enough rows for the choice of index to matter', () => {
  let acme: Tenant
  let webhook: string
  let base: string
  let category: string

  beforeAll(async () => {
    acme = await harness.createTenant()
    const events = ['qr_code.created', 'object.created', 'product.created', 'qr_group.created']
    webhook = (await harness.subscribe(acme, events, { isActive: false })).id
    for (const tenant of [acme, await harness.createTenant()]) {
      for (const status of ['active', 'active', 'inactive', 'archived']) {
        await tenant.post('/v1/qr-codes/batch', { count: 1000, name_prefix: 'Chair', status })
      }
      await fill(tenant, 'objects', (n) => ({ type: ['chair', 'table'][n % 2], name: `Chair ${n}` }))
      await fill(tenant, 'products', (n) => ({ name: `Oil ${n}`, status: ['active', 'archived'][n % 2] }))
      await fill(tenant, 'knowledge-bases', (n) => ({ name: 'Care', is_published: n % 2 === 0 }))
      await fill(tenant, 'qr-groups', (n) => ({ name: `Campaign ${n}` }))
      const place = await fillArticles(tenant)
      if (tenant === acme) [base, category] = place
    }
    await failSome(acme, webhook)
    await sql`analyze`.execute(harness.service.database.kysely)
  }, 120_000)

  test.each(VARIANTS)('%s reads its page in index order, without sorting', (path) =>
    expectIndexed(acme, path.replace('{webhook}', webhook).replace('{base}', base).replace('{category}', category)),
  )

  test("the list of a grant's webhook endpoints reads its page in index order, without sorting", async () => {
    const client = harness.client(harness.scoped.issue(acme.orgId, ['webhooks.manage'], 'grant'))
    await harness.subscribe(client, ['qr_code.created'])
    await expectIndexed(client, '/v1/webhooks')
  })
})

const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))

async function fill(tenant: Tenant, family: string, body: (n: number) => object): Promise<void> {
  for (let from = 0; from < 200; from += 5) {
    const replies = await Promise.all(times(5, (n) => tenant.post(`/v1/${family}`, body(from + n))))
    for (const { status } of replies) expect(status).toBe(201)
  }
}

/** Creates articles in ten knowledge bases with two categories each. Returns the ids of one base and its category. */
async function fillArticles(tenant: Tenant): Promise<[base: string, category: string]> {
  const create = async (family: string, body: object) => (await tenant.post(`/v1/${family}`, body)).body.id
  const places: [string, string][] = []
  for (let n = 0; n < 10; n++) {
    const knowledge_base_id = await create('knowledge-bases', { name: 'Care' })
    for (const slug of [`wood-${n}`, `metal-${n}`]) {
      places.push([knowledge_base_id, await create('article-categories', { name: slug, slug, knowledge_base_id })])
    }
  }
  await fill(tenant, 'articles', (n) => {
    const [knowledge_base_id, category_id] = places[n % places.length]!
    return { knowledge_base_id, category_id, title: `Oiling ${n}`, status: ['draft', 'published'][n % 3 === 0 ? 1 : 0] }
  })
  await fill(tenant, 'article-categories', (n) => {
    const [knowledge_base_id, parent_id] = places[n % places.length]!
    return { knowledge_base_id, parent_id: n % 3 === 0 ? null : parent_id, name: 'Part', slug: `part-${n}` }
  })
  return places[0]!
}

/** Marks every tenth delivery as failed. */
async function failSome({ orgId }: Tenant, webhook: string): Promise<void> {
  await harness.service.database.write(async (tx) => {
    const deliveries = await tx
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('org_id', '=', orgId)
      .where('endpoint_id', '=', webhook)
      .orderBy('id')
      .execute()
    const failed = deliveries.filter((_, n) => n % 10 === 0).map(({ id }) => id)
    await tx
      .updateTable('webhook_deliveries')
      .set({ status: 'failed' })
      .where('org_id', '=', orgId)
      .where('id', 'in', failed)
      .execute()
  })
}

async function expectIndexed(tenant: Client, path: string): Promise<void> {
  const statements = await harness.statementsOf(async () => {
    expect((await tenant.get(path)).status).toBe(200)
  })
  const pages = statements.filter(({ sql }) => /^select .* order by /s.test(sql))
  expect(pages).not.toHaveLength(0)
  for (const page of pages) {
    const plan = await explain(harness.service.database, page)
    expect(plan).toMatch(/USING (COVERING |PRIMARY )?(INDEX|KEY)|Index (Only )?Scan/)
    expect(plan).not.toMatch(/TEMP B-TREE|SCAN (?!.*USING)|Sort|Seq Scan/)
    // The index must apply the filter, rather than a scan that checks each row. Two columns may be checked per row:
    // `org_id`, where the id of the parent resource already implies it, and `language`, as an article has few languages.
    expect(plan).not.toMatch(/Filter: (?!\(\(?(\w+\.)?(org_id|language) (=|<>) )/)
  }
}
