/** Tests that a list runs the same number of statements for any number of rows. */
import { describe, expect, test } from 'vitest'
import { timestamp } from '../platform/clock/index.ts'
import type { Operation } from '../platform/contract/operation.ts'
import { newId } from '../platform/ids/index.ts'
import { createAccessToken } from '../testing/data/access-token.ts'
import { createKnowledgeBase } from '../testing/data/articles.ts'
import { createConversation } from '../testing/data/conversations.ts'
import { streamsOf } from '../testing/data/streams.ts'
import { eventually } from '../testing/eventually.ts'
import { type Tenant, useHarness } from '../testing/harness.ts'
import { allOperations, ownBody, pathTo, type ResourceFamily, resourceFamilies } from '../testing/operations.ts'

const harness = useHarness()

const ROWS = 4
const times = <T>(make: (n: number) => T): T[] => Array.from({ length: ROWS }, (_, n) => make(n))

/** Fills a list of this organisation. Returns the query to add to its path, and the parameters in the path. */
type Fill = (tenant: Tenant) => Promise<{ params?: Record<string, string>; query?: string }>

async function post(tenant: Tenant, path: string, body: object): Promise<any> {
  const reply = await tenant.post(path, body)
  expect(reply).toMatchObject({ status: 201 })
  return reply.body
}

const createOne = async (tenant: Tenant, { create }: ResourceFamily): Promise<any> =>
  post(tenant, pathTo(create), await ownBody(tenant, create))

const put = async (tenant: Tenant, path: string, body: object): Promise<void> =>
  expect(await tenant.put(path, body)).toMatchObject({ status: 200 })

const createArticle = async (tenant: Tenant, more: object = {}): Promise<any> =>
  post(tenant, '/v1/articles', { knowledge_base_id: await createKnowledgeBase(tenant), title: 'Oiling', ...more })

const FILLS: Record<string, Fill> = {
  'products.listImages': async (tenant) => {
    const { id } = await post(tenant, '/v1/products', { name: 'Oil' })
    const created_at = timestamp(harness.nowMs())
    const file = { file_name: 'oil.png', media_type: 'image/png' as const, size_bytes: 1, sort_order: 0, created_at }
    const row = () => ({ ...file, id: newId(), org_id: tenant.orgId, product_id: id, asset: `${newId()}.png` })
    await harness.service.database.write((tx) => tx.insertInto('product_images').values(times(row)).execute())
    return { params: { id } }
  },
  'product-links.list': async (tenant) => {
    const { id } = await post(tenant, '/v1/products', { name: 'Oil' })
    const links = times((n) => ({ link_type: 'gs1:pip', url: `https://acme.com/oil/${n}`, title: 'Oil' }))
    await put(tenant, `/v1/products/${id}/links`, { links })
    return { params: { id } }
  },
  'articles.listTags': async (tenant) => {
    const { id } = await createArticle(tenant)
    const tags = await Promise.all(times((n) => post(tenant, '/v1/article-tags', { name: `Care ${n}` })))
    await put(tenant, `/v1/articles/${id}/tags`, { tag_ids: tags.map((tag) => tag.id) })
    return { params: { id } }
  },
  'conversations.listTags': async (tenant) => {
    const { id } = await createConversation(harness, tenant)
    const tags = await Promise.all(times((n) => post(tenant, '/v1/conversation-tags', { name: `Care ${n}` })))
    await put(tenant, `/v1/conversations/${id}/tags`, { tag_ids: tags.map((tag) => tag.id) })
    return { params: { id } }
  },
  'article-relations.list': async (tenant) => {
    const [{ id }, ...related] = await Promise.all([0, ...times((n) => n)].map(() => createArticle(tenant)))
    await put(tenant, `/v1/articles/${id}/relations`, { related_article_ids: related.map((article) => article.id) })
    return { params: { id } }
  },
  'article-translations.list': async (tenant) => {
    const { id } = await createArticle(tenant)
    for (const language of ['de', 'fr', 'nl', 'it']) {
      await post(tenant, `/v1/articles/${id}/translations`, { language, title: 'Oiling', content: '' })
    }
    return { params: { id } }
  },
  'article-versions.list': async (tenant) => {
    const { id } = await createArticle(tenant)
    for (let n = 0; n < ROWS; n++) await post(tenant, `/v1/articles/${id}/versions`, {})
    return { params: { id } }
  },
  // The word is so far into the texts that the search has to read further than their beginning.
  'articles.search': async (tenant) => {
    const content = `${'Once a year. '.repeat(4000)} Varnish.`
    for (let n = 0; n < ROWS; n++) await createArticle(tenant, { content, status: 'published' })
    await eventually(async () => (await tenant.get('/v1/articles/search?q=varnish')).body.total === ROWS)
    return { query: 'q=varnish' }
  },
  'members.list': async (tenant) => {
    for (let n = 0; n < ROWS; n++) await harness.createPerson(tenant, 'member')
    return {}
  },
  'connected-applications.list': async (tenant) => {
    const { userId } = await harness.createPerson(tenant, 'owner')
    const { database } = harness.service
    for (let n = 0; n < ROWS; n++) {
      await createAccessToken(database, { orgId: tenant.orgId, userId }, ['qr.view'], harness.nowMs())
    }
    return {}
  },
  'event-types.list': async () => ({}),
  'page-templates.list': async () => ({}),
  'roles.list': async () => ({}),
}

const KEY_VALUES: Record<string, [path: string, field: string]> = {
  listProperties: ['properties', 'properties'],
  listUrlParams: ['url-params', 'url_params'],
}

const streams = streamsOf(harness)

function fillOf({ id }: Operation): Fill {
  const [name, verb = ''] = id.split('.')
  const family = resourceFamilies.find((each) => each.name === name)
  const stream = streams[id]
  const keyValues = KEY_VALUES[verb]
  if (FILLS[id] !== undefined) return FILLS[id]
  if (stream !== undefined) {
    return async (tenant) => {
      const params = (await stream.owner?.(tenant)) ?? {}
      for (let n = 0; n < ROWS; n++) await stream.add(tenant, params, n)
      return { params }
    }
  }
  if (family !== undefined && keyValues !== undefined) {
    return async (tenant) => {
      const { id: owner } = await createOne(tenant, family)
      const entries = times((n) => ({ key: `key-${n}`, value: 'Oak' }))
      await put(tenant, `${pathTo(family.create)}/${owner}/${keyValues[0]}`, { [keyValues[1]]: entries })
      return { params: { id: owner } }
    }
  }
  if (family !== undefined && verb === 'listVersions') {
    return async (tenant) => {
      const { id: owner } = await createOne(tenant, family)
      const rule = { name: 'All', when: {}, then: { destination: { url: 'https://acme.com/' } } }
      for (let n = 0; n < ROWS; n++)
        await put(tenant, `${pathTo(family.create)}/${owner}/rules`, { rules: [{ id: `rule-${n}`, ...rule }] })
      return { params: { id: owner } }
    }
  }
  if (family !== undefined && verb === 'list') {
    return async (tenant) => {
      for (let n = 0; n < ROWS; n++) await createOne(tenant, family)
      return {}
    }
  }
  throw new Error(`add to this test how to fill ${id}`)
}

/** The statements of one page, without those that a request runs before it reaches the list. */
async function countStatements(tenant: Tenant, path: string): Promise<number> {
  const statements = await harness.statementsOf(() => tenant.get(path))
  return statements.filter(
    ({ sql, parameters }) => parameters.includes(tenant.orgId) && /^\s*(select|with)\b/.test(sql) && !/rate_/.test(sql),
  ).length
}

/** The fewest of several pages, because background work may run statements for the organisation, too. */
async function fewestStatements(tenant: Tenant, path: string): Promise<number> {
  const counts: number[] = []
  for (let n = 0; n < 3; n++) counts.push(await countStatements(tenant, path))
  return Math.min(...counts)
}

const lists = allOperations.filter(
  ({ declared }) => declared.method === 'GET' && (declared.offset ?? declared.cursor) !== undefined,
)

describe('runs as many statements for many rows as for one', () => {
  test.each(lists.map((operation) => [operation.id, operation] as const))('%s', async (_id, operation) => {
    const tenant = await harness.createTenant()
    const { params = {}, query = '' } = await fillOf(operation)(tenant)
    const sizes = [operation.declared.offset && 'page_size', operation.declared.cursor && 'limit'].filter(Boolean)
    for (const size of sizes) {
      const path = `${pathTo(operation, params)}?${query}&${size}=`
      await eventually(async () => (await tenant.get(`${path}100`)).body.data.length >= ROWS)
      const counts = async () => [
        await fewestStatements(tenant, `${path}100`),
        await fewestStatements(tenant, `${path}1`),
      ]
      // Repeated until the background work is done.
      await eventually(async () => {
        const [many, one] = await counts()
        return many === one
      })
    }
  })
})
