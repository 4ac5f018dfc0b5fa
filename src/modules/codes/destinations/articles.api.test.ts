/** Codes can lead to one article of a knowledge base, wherever it is and as long as visitors may read it. */
import { describe, expect, test } from 'vitest'
import { newId } from '../../../platform/ids/index.ts'
import { createCentre } from '../../../testing/data/help-centre.ts'
import { scan } from '../../../testing/data/scans.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'

const harness = useHarness()

const NO_DESTINATION = { type: null, chatbot: null, page: null, knowledge_base: null, url: null }
const URL_DESTINATION = { url: 'https://acme.com/here' }

const toBase = (id: string) => ({ ...NO_DESTINATION, type: 'knowledge_base', knowledge_base: id })

const KINDS = [
  { path: '/v1/qr-codes', object: 'qr_code', fields: { external_id: 'a' }, hasStatus: true },
  { path: '/v1/qr-groups', object: 'qr_group', fields: { external_id: 'a', name: 'A' }, hasStatus: true },
  { path: '/v1/objects', object: 'object', fields: { external_id: 'a', type: 'chair' }, hasStatus: false },
  { path: '/v1/products', object: 'product', fields: { gtin: '9506000134352', name: 'A' }, hasStatus: true },
] as const

async function start() {
  const centre = await createCentre(harness)
  const article = await centre.article({ slug: 'oak-table' })
  return { centre, acme: centre.tenant, base: centre.base.id, article }
}

const lastEvent = async (tenant: Tenant) => (await tenant.get('/v1/events?limit=1')).body.data[0]

describe.each(KINDS)('$path', ({ path, object, fields, hasStatus }) => {
  test('an article sets the destination, and another destination clears it', async () => {
    const { centre, acme, base, article } = await start()
    const { type, ...shown } = toBase(base)
    const destination = object === 'product' ? shown : { type, ...shown }
    const active = hasStatus ? { status: 'active' } : {}
    const created = await acme.post(path, fields)
    expect(created, created.text).toMatchObject({ status: 201, body: { destination_article_id: null } })
    const { id } = created.body
    const patch = async (input: object) => {
      const { status, body } = await acme.patch(`${path}/${id}`, input)
      expect({ status, input, body }).toMatchObject({ status: 200 })
      return body
    }
    const led = await patch({ destination_article_id: article.id.toUpperCase() })
    expect(led).toMatchObject({ destination, destination_article_id: article.id, ...active })
    expect((await acme.get(`${path}/${id}`)).body).toEqual(led)
    const event = await lastEvent(acme)
    expect(event).toMatchObject({ type: `${object}.updated`, data: { destination_article_id: article.id } })
    expect(event.data.changes.destination_article_id).toEqual({ from: null, to: article.id })

    // The same again, also in the form of a response or without the article, has no effect.
    for (const same of [
      { destination_article_id: article.id },
      { destination: led.destination, destination_article_id: article.id },
      { destination: { knowledge_base: base } },
    ])
      expect(await patch(same)).toEqual(led)
    expect(await lastEvent(acme)).toEqual(event)

    const other = await centre.article({ slug: 'oak-chair' })
    expect(await patch({ destination_article_id: other.id })).toMatchObject({ destination_article_id: other.id })
    const home = { destination, destination_article_id: null, ...active }
    expect(await patch({ destination_article_id: null })).toMatchObject(home)
    await patch({ destination_article_id: article.id })
    expect(await patch({ destination: URL_DESTINATION })).toMatchObject({ destination_article_id: null })
    await patch({ destination_article_id: article.id })
    const cleared = await patch({ destination: null })
    expect(cleared).toMatchObject({ destination_article_id: null, ...(hasStatus && { status: 'unconfigured' }) })
    expect(await patch({ destination_article_id: null })).toEqual(cleared)

    await acme.delete(`${path}/${id}`)
    const again = await acme.post(path, { ...fields, destination_article_id: article.id })
    expect(again, again.text).toMatchObject({ status: 201 })
    expect(again.body).toMatchObject({ destination, destination_article_id: article.id, ...active })
  })

  test('refuses an article that is unknown, foreign or in another knowledge base, and changes nothing', async () => {
    const { acme, base, article } = await start()
    const theirs = (await start()).article.id
    const { body: second } = await acme.post('/v1/knowledge-bases', { name: 'Second' })
    const { body: before } = await acme.post(path, { ...fields, destination: URL_DESTINATION })
    const wrong = [
      { destination_article_id: newId() },
      { destination_article_id: theirs },
      { destination_article_id: theirs, destination: { knowledge_base: base } },
      { destination_article_id: article.id, destination: { knowledge_base: second.id } },
      { destination_article_id: article.id, destination: URL_DESTINATION },
      { destination_article_id: article.id, destination: null },
    ]
    const creates = path !== '/v1/products'
    for (const input of wrong) {
      const details = { field: 'destination_article_id', value: input.destination_article_id }
      const refused = { status: 422, body: { error: 'unprocessable', details } }
      expect(await acme.patch(`${path}/${before.id}`, input)).toMatchObject(refused)
      // By its external id, this changes the one that exists.
      if (creates) expect(await acme.post(path, { ...fields, ...input })).toMatchObject(refused)
    }
    expect((await acme.get(`${path}/${before.id}`)).body).toEqual(before)
    const malformed = await acme.patch(`${path}/${before.id}`, { destination_article_id: 'oak-table' })
    expect(malformed.status).toBe(400)
    expect(Object.keys(malformed.body.details.fieldErrors)).toEqual(['destination_article_id'])
  })
})

test('batches lead to articles, and name the items whose article is unknown', async () => {
  const { acme, base, article } = await start()
  const theirs = (await start()).article.id
  const leading = { destination_article_id: article.id }
  for (const { path, fields } of KINDS.filter(({ object }) => object !== 'qr_group')) {
    const items = [{ ...fields, ...leading }]
    const first = await acme.post(`${path}/batch`, { items })
    expect(first, first.text).toMatchObject({ body: { data: [{ id: expect.any(String) }] } })
    const { body } = await acme.get(`${path}/${first.body.data[0].id}`)
    expect(body).toMatchObject({ destination: { knowledge_base: base }, ...leading })
    const event = await lastEvent(acme)
    expect((await acme.post(`${path}/batch`, { items })).status).toBe(200)
    expect(await lastEvent(acme)).toEqual(event)
    const wrong = await acme.post(`${path}/batch`, { items: [{ ...fields, destination_article_id: theirs }] })
    const details = { field: 'items[0].destination_article_id', value: theirs }
    expect(wrong).toMatchObject({ status: 422, body: { details } })
  }
  const { body } = await acme.post('/v1/qr-codes/batch', { count: 2, ...leading })
  expect(body.data).toMatchObject([leading, leading])
  const each = await acme.post('/v1/objects/batch', {
    mode: 'each',
    items: [leading, { destination_article_id: theirs }].map((fields, n) => ({
      ...{ external_id: `${n}`, type: 'chair' },
      ...fields,
    })),
  })
  expect(each.body).toMatchObject({ created: 1, failed: 1 })
})

describe('a scan', () => {
  /** Follows the redirects on our own host, as a phone does. */
  async function visit(path: string, headers: Record<string, string> = {}) {
    const first = await scan(harness, path, headers)
    const location = first.headers.get('location') ?? ''
    if (first.status !== 302) return { first, location, reached: undefined, page: first }
    const next = await scan(harness, location.replace(/^https?:\/\/[^/]+/, ''), headers)
    const reached = next.headers.get('location') ?? undefined
    return {
      first,
      location,
      next,
      reached,
      page: reached === undefined ? next : await scan(harness, reached, headers),
    }
  }

  test('leads to the article where it is now, or to the help centre while visitors may not read it', async () => {
    const { centre, acme, base, article } = await start()
    await centre.translate(article.id, 'de', 'Eichentisch')
    const { body: code } = await acme.post('/v1/qr-codes', {
      destination_article_id: article.id,
      url_params: [{ key: 'utm_source', value: 'label' }],
    })
    const path = `/${code.public_slug}`
    const { location, next, reached, page } = await visit(`${path}?q=%C3%BC%20x`, { 'accept-language': 'de' })
    expect(location).toMatch(new RegExp(`${centre.path}/a/${article.id}\\?s=[\\w.-]+&`))
    expect(next?.headers.get('cache-control')).toBe('no-store')
    const query = location.slice(location.indexOf('?'))
    expect(new URLSearchParams(query)).toEqual(new URLSearchParams(new URL(reached ?? '', harness.baseUrl).search))
    expect(Object.fromEntries(new URLSearchParams(query))).toMatchObject({ utm_source: 'label', q: 'ü x' })
    expect(reached).toMatch(new RegExp(`^${centre.path}/articles/oak-table\\?s=`))
    expect(page.text).toContain('Eichentisch')
    const [stored] = (await acme.get(`/v1/qr-codes/${code.id}/scans`)).body.data
    expect(stored.destination).toEqual({ type: 'knowledge_base', id: base, url: null })

    const pathReached = async () => (await visit(path)).reached?.split('?')[0]
    const change = async (fields: object) => {
      const { status, text } = await acme.patch(`/v1/articles/${article.id}`, fields)
      expect(status, text).toBe(200)
    }
    await change({ slug: 'oak-desk' })
    expect(await pathReached()).toBe(`${centre.path}/articles/oak-desk`)
    for (const [hidden, shown] of [
      [{ status: 'draft' }, { status: 'published' }],
      [{ visibility: 'internal' }, { visibility: 'public' }],
    ] as const) {
      await change(hidden)
      expect(await pathReached()).toBe(centre.path)
      await change(shown)
      expect(await pathReached()).toBe(`${centre.path}/articles/oak-desk`)
    }
    // A language in the address is kept.
    const german = await scan(harness, `${centre.path}/de/a/${article.id}`)
    expect(german.headers.get('location')).toBe(`${centre.path}/de/articles/oak-desk`)

    const { body: otherBase } = await acme.post('/v1/knowledge-bases', { name: 'Second' })
    await acme.patch(`/v1/knowledge-bases/${base}`, { is_published: false })
    const closed = await visit(path, { 'accept-language': 'en' })
    expect([closed.first.status, closed.page.text]).toEqual([200, expect.stringContaining('not set up')])
    await acme.patch(`/v1/knowledge-bases/${base}`, { is_published: true })
    // An article of another knowledge base is not shown here.
    const { body: elsewhere } = await acme.post('/v1/articles', {
      ...{ title: 'Elsewhere', content: 'x', status: 'published', knowledge_base_id: otherBase.id },
    })
    for (const id of [elsewhere.id, newId()]) {
      const { headers } = await scan(harness, `${centre.path}/a/${id}`)
      expect(headers.get('location')).toBe(centre.path)
    }
    await acme.delete(`/v1/articles/${article.id}`)
    expect(await pathReached()).toBe(centre.path)
    expect((await acme.get(`/v1/qr-codes/${code.id}`)).body.destination_article_id).toBe(article.id)
  })

  test('of a code in a group, an object or a product leads to the article, too', async () => {
    const { centre, acme, article } = await start()
    const leading = { destination_article_id: article.id }
    const { body: group } = await acme.post('/v1/qr-groups', { name: 'Signs', ...leading })
    const { body: code } = await acme.post('/v1/qr-codes', { group_id: group.id })
    const { body: object } = await acme.post('/v1/objects', { type: 'chair', ...leading })
    const { body: product } = await acme.post('/v1/products', { name: 'Oil', gtin: '9506000134352', ...leading })
    for (const { url } of [code, object, product]) {
      const { reached } = await visit(new URL(url).pathname)
      expect(reached).toMatch(new RegExp(`^${centre.path}/articles/oak-table\\?s=`))
    }
    await acme.patch(`/v1/qr-groups/${group.id}`, { destination_article_id: null })
    const { location, reached } = await visit(new URL(code.url).pathname)
    expect(location).toContain(`${centre.path}?s=`)
    expect(reached).toBeUndefined()
  })
})
