import { expect, test } from 'vitest'
import { type Tenant, useHarness } from '../../../testing/harness.ts'

const harness = useHarness()

const entries = (count: number) => Array.from({ length: count }, (_, n) => ({ key: `key.${n}`, value: `${n}` }))
const eventsOf = async (tenant: Tenant): Promise<any[]> => (await tenant.get('/v1/events?limit=100')).body.data

const LISTS = [
  { name: 'properties', path: 'properties', object: { object: 'object_property' } },
  { name: 'url_params', path: 'url-params', object: {} },
] as const

test.each(LISTS)('$name: PUT replaces the whole list in order, and a key keeps its id', async (list) => {
  const { acme, path } = await createOwner(list.path)
  const first = (
    await acme.put(path, {
      [list.name]: [
        { key: 'b', value: 'Oak' },
        { key: 'a', value: '🪵 خشب' },
        { key: 'c', value: '' },
      ],
    })
  ).body
  expect(first).toMatchObject({ object: 'list', total: 3, page: 1, page_size: 100 })
  expect(first.data[1]).toEqual({
    ...list.object,
    id: expect.any(String),
    key: 'a',
    value: '🪵 خشب',
    sort_order: 1,
    created_at: expect.any(String),
    updated_at: first.data[1].created_at,
  })
  const [b, a] = first.data
  harness.advance(5000)
  const second = (
    await acme.put(path, {
      [list.name]: [
        { key: 'b', value: 'Oak' },
        { key: 'd', value: 'new' },
        { key: 'a', value: 'Ash' },
      ],
    })
  ).body
  expect((await acme.get(path)).body).toEqual(second)
  expect(second.data.map(({ key, sort_order }: any) => `${sort_order} ${key}`)).toEqual(['0 b', '1 d', '2 a'])
  expect(second.data[0]).toEqual(b)
  expect(second.data[2]).toEqual({ ...a, value: 'Ash', sort_order: 2, updated_at: second.data[2].updated_at })
  expect(second.data[2].updated_at > a.updated_at).toBe(true)
  expect((await acme.get(`${path}?page=2&page_size=2`)).body.data).toEqual([second.data[2]])
  expect((await acme.put(path, { [list.name]: [] })).body).toMatchObject({ total: 0, data: [] })
})

test.each(LISTS)('a change of $name updates the object and emits one event', async ({ name, path: below }) => {
  const { acme, path, object } = await createOwner(below)
  harness.advance(5000)
  const sent = { [name]: [{ key: 'a', value: '🪵' }] }
  const { body } = await acme.put(path, sent)
  harness.advance(5000)
  expect((await acme.put(path, sent)).body).toEqual(body)
  const changed = (await acme.get(`/v1/objects/${object.id}`)).body
  expect(changed).toEqual({ ...object, updated_at: body.data[0].updated_at })
  const events = await eventsOf(acme)
  expect(events.map(({ type }) => type)).toEqual(['object.updated', 'object.created'])
  expect(events[0].data).toEqual({ ...changed, changes: { [name]: { from: [], to: sent[name] } } })
})

test.each(LISTS)(
  '$name: too many entries, duplicate keys and malformed entries return 400 and change nothing',
  async (list) => {
    const { acme, path } = await createOwner(list.path)
    const { body: full } = await acme.put(path, { [list.name]: entries(100) })
    expect(full.total).toBe(100)
    for (const [inside, bad] of [
      ['', entries(101)],
      ['[2].key', [...entries(2), { key: 'key.0', value: 'again' }]],
      ['[0].key', [{ key: '', value: '' }]],
      ['[0].key', [{ key: 'a b', value: '' }]],
      ['[1].key', [...entries(1), { key: 'a'.repeat(65), value: '' }]],
      ['[0].value', [{ key: 'a', value: '🪵'.repeat(2001) }]],
      ['[0].value', [{ key: 'a' }]],
      ['[0].sort_order', [{ key: 'a', value: 'b', sort_order: 1 }]],
      ['', null],
    ]) {
      const place = `${list.name}${inside}`
      const refused = await acme.put(path, { [list.name]: bad })
      expect({ status: refused.status, error: refused.body.error }).toEqual({ status: 400, error: 'invalid_payload' })
      expect(Object.keys(refused.body.details.fieldErrors)).toEqual([place])
      const created = await acme.post('/v1/objects', { type: 'chair', [list.name]: bad })
      expect(Object.keys(created.body.details.fieldErrors)).toEqual([place])
    }
    expect((await acme.get(path)).body).toEqual(full)
  },
)

test.each(LISTS)('$name: of concurrent PUTs one list wins as a whole', async ({ name, path: below }) => {
  const { acme, path } = await createOwner(below)
  for (let round = 0; round < 5; round++) {
    const sent = Array.from({ length: 6 }, (_, n) => ({ [name]: entries(n + 1).map((e) => ({ ...e, value: `${n}` })) }))
    const replies = await Promise.all(sent.map((body) => acme.put(path, body)))
    expect(replies.map(({ status }) => status)).toEqual(sent.map(() => 200))
    const { data } = (await acme.get(path)).body
    expect(replies.map(({ body }) => body.data)).toContainEqual(data)
  }
})

async function createOwner(below: string) {
  const acme = await harness.createTenant()
  const { body: object } = await acme.post('/v1/objects', { type: 'chair' })
  return { acme, object, path: `/v1/objects/${object.id}/${below}` }
}
