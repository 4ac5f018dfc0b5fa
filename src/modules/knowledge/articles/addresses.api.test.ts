/** Programs get the public address of an article wherever they get the article. */
import { expect, test } from 'vitest'
import { createCentre } from '../../../testing/data/help-centre.ts'
import { eventually } from '../../../testing/eventually.ts'
import { useHarness } from '../../../testing/harness.ts'

const harness = useHarness({ role: 'all' })

async function start() {
  const centre = await createCentre(harness)
  const acme = centre.tenant
  const { id } = await centre.article({ title: 'Oak table', slug: 'oak-table' })
  const { url } = (await acme.get(`/v1/knowledge-bases/${centre.base.id}`)).body
  const read = async () => (await acme.get(`/v1/articles/${id}`)).body
  return { centre, acme, id, read, url: url as string }
}

test('an article has its address in the record, in lists, events, translations and search results', async () => {
  const { acme, id, read, url } = await start()
  const address = (language: string, slug = 'oak-table') => `${url}/${language}/articles/${slug}`
  expect((await read()).url).toBe(address('en'))
  expect((await harness.client().get(new URL((await read()).url).pathname)).text).toContain('Oak table')
  for (const query of ['', '?limit=5', '?sort=title']) {
    expect((await acme.get(`/v1/articles${query}`)).body.data).toMatchObject([{ id, url: address('en') }])
  }
  const translated = await acme.post(`/v1/articles/${id}/translations`, {
    language: 'de',
    title: 'Eiche',
    content: 'x',
  })
  expect(translated.body.url).toBe(address('de'))
  const [translation] = (await acme.get(`/v1/articles/${id}/translations`)).body.data
  expect(translation).toEqual(translated.body)
  expect((await acme.get(`/v1/articles/${id}/translations/de`)).body).toEqual(translated.body)
  await eventually(async () => (await acme.get('/v1/articles/search?q=oak')).body.total === 1)
  const [found] = (await acme.get('/v1/articles/search?q=oak')).body.data
  expect(found.url).toBe(address('en'))

  const renamed = await acme.patch(`/v1/articles/${id}`, { slug: 'oak-desk' })
  expect(renamed.body.url).toBe(address('en', 'oak-desk'))
  const { data: events } = (await acme.get('/v1/events?type=article.updated&limit=1')).body
  expect(events[0].data).toMatchObject({
    url: address('en', 'oak-desk'),
    changes: { url: { from: address('en'), to: address('en', 'oak-desk') } },
  })
  const indexed = async () => (await acme.get('/v1/events?type=article.indexed&limit=1')).body.data[0]
  expect((await eventually(indexed)).data.url).toMatch(/\/en\/articles\/oak-/)
})

test('the address is null while visitors may not read the article, and follows it into another knowledge base', async () => {
  const { centre, acme, id, read } = await start()
  const change = (fields: object) => acme.patch(`/v1/articles/${id}`, fields)
  for (const [hidden, shown] of [
    [{ status: 'draft' }, { status: 'published' }],
    [{ visibility: 'internal' }, { visibility: 'public' }],
  ]) {
    expect((await change(hidden as object)).body.url).toBeNull()
    expect((await acme.get('/v1/articles')).body.data[0].url).toBeNull()
    expect((await change(shown as object)).body.url).not.toBeNull()
  }
  const { body: closed } = await acme.post('/v1/knowledge-bases', { name: 'Closed' })
  expect((await change({ knowledge_base_id: closed.id })).body.url).toBeNull()
  await acme.patch(`/v1/knowledge-bases/${closed.id}`, { is_published: true })
  expect((await read()).url).toBe(`${closed.url}/en/articles/oak-table`)
  expect((await change({ knowledge_base_id: centre.base.id })).body.url).toContain(centre.path)
  const { body: draft } = await acme.post('/v1/articles', { title: 'Draft', knowledge_base_id: centre.base.id })
  expect(draft.url).toBeNull()
  expect((await acme.get(`/v1/articles/${draft.id}`)).body).toEqual(draft)
})

test('the address is on the primary domain of the organisation', async () => {
  const { centre, acme, id, read } = await start()
  const { body: domain } = await acme.post('/v1/custom-domains', { domain: 'help.acme.com' })
  await harness.verifyDomain(acme, domain.id)
  const at = () => read().then(({ url }) => new URL(url))
  await eventually(async () => (await at()).hostname === 'help.acme.com')
  expect((await at()).pathname).toBe(`${centre.path}/en/articles/oak-table`)
  const { body: renamed } = await acme.patch(`/v1/articles/${id}`, { slug: 'oak-desk' })
  expect(new URL(renamed.url).hostname).toBe('help.acme.com')
})
