import { describe, expect, test } from 'vitest'
import { deliverableEvents, eventCatalogue } from '../../../api/families.ts'
import { useHarness } from '../../../testing/harness.ts'

const harness = useHarness({ role: 'api' })

const list = async (query = '') => (await (await harness.createTenant()).get(`/v1/event-types${query}`)).body

test('the first page lists every event type, and all but webhook.test are subscribable', async () => {
  const { data, total } = await list()
  expect(data.map(({ type }: any) => type)).toEqual(Object.keys(deliverableEvents))
  expect(total).toBe(data.length)
  const subscribable = data.filter((item: any) => item.subscribable).map(({ type }: any) => type)
  expect(subscribable).toEqual(Object.keys(eventCatalogue))
  const acme = await harness.createTenant()
  expect((await harness.subscribe(acme, subscribable)).events).toEqual(subscribable)
})

describe.each(Object.entries(deliverableEvents))('%s', (type, { payload, description }) => {
  test('has a sample that matches its schema, and a self-contained schema', async () => {
    const { data } = await list(`?search=${type}`)
    const described = data.find((item: any) => item.type === type)
    expect(described).toMatchObject({ object: 'event_type', description })
    expect(payload.strict().parse(described.sample)).toEqual(described.sample)
    const text = JSON.stringify(described.schema)
    for (const [, name] of text.matchAll(/"\$ref":"#\/\$defs\/(\w+)"/g)) {
      expect(described.schema.$defs).toHaveProperty(name!)
    }
    expect(text).not.toContain('#/components')
    expect(text).toContain(`"const":"${described.sample.object}"`)
  })
})

test('search matches types and descriptions, ignoring case, and paginates the result', async () => {
  const typesOf = async (query: string) => (await list(query)).data.map(({ type }: any) => type)
  const scanned = ['qr_code.scanned', 'object.scanned', 'product.scanned']
  expect(await typesOf('?search=.SCANNED')).toEqual(scanned)
  expect(await typesOf('?search=Was%20Scanned')).toEqual(scanned)
  expect(await list('?search=.scanned&page=2&page_size=2')).toMatchObject({ total: 3, data: [{ type: scanned[2] }] })
  expect(await list('?search=%25')).toMatchObject({ total: 0, data: [] })
})
