import { describe, expect, test } from 'vitest'
import { timestamp } from '../../../platform/clock/index.ts'
import { newId } from '../../../platform/ids/index.ts'
import { scan } from '../../../testing/data/scans.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'

const harness = useHarness()

const eventsOf = async (tenant: Tenant): Promise<any[]> => (await tenant.get('/v1/events?limit=100')).body.data
const listOf = async (tenant: Tenant, path: string) =>
  (await tenant.get(path)).body.data.map(({ key, value }: any) => [key, value])

const toGtin = (n: number): string => {
  const digits = `950600013${String(n).padStart(3, '0')}`
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 1 : 3), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

/** An item of each kind: all are different, and `named` changes nothing but the name. */
const KINDS = [
  {
    path: '/v1/objects',
    object: 'object',
    key: 'external_id',
    toItem: (n: number, more = {}) => ({ external_id: `chair-${n} 🪑 كرسي`, type: 'chair', ...more }),
    stored: (n: number) => `chair-${n} 🪑 كرسي`,
    pathOf: ({ url }: any) => new URL(url).pathname,
  },
  {
    path: '/v1/products',
    object: 'product',
    key: 'gtin',
    toItem: (n: number, more = {}) => ({ gtin: toGtin(n), name: `Chair ${n}`, ...more }),
    stored: (n: number) => `0${toGtin(n)}`,
    pathOf: ({ url }: any) => new URL(url).pathname,
  },
] as const

const LISTS = {
  properties: [
    { key: 'material', value: 'Oak' },
    { key: 'colour', value: 'Blue 🟦' },
  ],
  url_params: [{ key: 'utm_source', value: 'label' }],
}
const HERE = { destination: { url: 'https://acme.com/here' } }

describe.each(KINDS)('$path/batch', ({ path, object, key, toItem, stored, pathOf }) => {
  const post = (tenant: Tenant, items: object[], mode?: string) =>
    tenant.post(`${path}/batch`, { items, ...(mode && { mode }) })

  test('creates what is new, changes what exists, and has no effect when it is repeated', async () => {
    const acme = await harness.createTenant()
    const items = [toItem(1, { ...LISTS, ...HERE }), toItem(2, { ...HERE, metadata: { seats: 2 } }), toItem(3)]
    const first = await post(acme, items)
    expect(first, first.text).toMatchObject({ status: 200, body: { object: 'batch', mode: 'all', created: 3 } })
    expect(first.body).toMatchObject({ updated: 0, unchanged: 0, failed: 0 })
    const [one, two, three] = first.body.data
    expect(first.body.data.map((item: any) => [item.index, item.result, item[key], item.error])).toEqual(
      [1, 2, 3].map((n) => [n - 1, 'created', stored(n), null]),
    )
    const before = (await acme.get(`${path}/${one.id}`)).body
    expect(before).toMatchObject({ id: one.id, url: one.url, [key]: stored(1), destination: HERE.destination })
    expect(await listOf(acme, `${path}/${one.id}/properties`)).toEqual([
      ['material', 'Oak'],
      ['colour', 'Blue 🟦'],
    ])
    const redirect = await scan(harness, pathOf(one))
    expect(redirect.headers.get('location')).toBe('https://acme.com/here?utm_source=label')
    const created = await eventsOf(acme)
    expect(created.map(({ type, data }) => [type, data.id])).toEqual(
      [three, two, one].map(({ id }) => [`${object}.created`, id]),
    )

    harness.advance(5000)
    const read = async () =>
      (await acme.get(`${path}?sort=name`)).body.data.map(({ total_scans: _, ...row }: any) => row)
    const rows = await read()
    const again = await post(acme, items)
    expect(again.body).toMatchObject({ created: 0, updated: 0, unchanged: 3, failed: 0 })
    expect(again.body.data.map(({ id, url }: any) => [id, url])).toEqual(
      [one, two, three].map(({ id, url }) => [id, url]),
    )
    expect(await read()).toEqual(rows)
    expect(await eventsOf(acme)).toEqual(created)

    const changed = await post(acme, [
      toItem(4),
      toItem(1, { description: 'By the window' }),
      toItem(2, { destination: null, properties: [{ key: 'material', value: 'Ash' }] }),
      toItem(3, { properties: [] }),
    ])
    expect(changed.body.data.map(({ result }: any) => result)).toEqual(['created', 'updated', 'updated', 'unchanged'])
    const [second, firstAgain, fourth] = await eventsOf(acme)
    expect(fourth).toMatchObject({ type: `${object}.created`, data: { id: changed.body.data[0].id } })
    expect(firstAgain.data.changes).toEqual({ description: { from: null, to: 'By the window' } })
    expect(firstAgain.data).toMatchObject({ id: one.id, updated_at: expect.not.stringContaining(before.updated_at) })
    expect(Object.keys(second.data.changes)).toEqual(expect.arrayContaining(['destination', 'properties']))
    expect(second.data.changes.properties).toEqual({ from: [], to: [{ key: 'material', value: 'Ash' }] })
    // What was not sent is kept, also in the setup for scans.
    expect(await listOf(acme, `${path}/${one.id}/url-params`)).toEqual([['utm_source', 'label']])
    expect((await scan(harness, pathOf(one))).headers.get('location')).toBe('https://acme.com/here?utm_source=label')
    expect((await scan(harness, pathOf(two))).status).toBe(200)
    const { data } = (await acme.get('/v1/audit-log?limit=100')).body
    // An action on many resources is one entry.
    expect(data.filter(({ action }: any) => action === `${object}.updated`)).toHaveLength(1)
  })

  test('refuses all items because of one, and names its place', async () => {
    const acme = await harness.createTenant()
    const page = newId()
    for (const [bad, status, field] of [
      [toItem(2, { description: 5 }), 400, 'description'],
      [toItem(2, { colour: 'blue' }), 400, 'colour'],
      [toItem(2, { properties: [{ key: 'a', value: '' }, { key: 'b' }] }), 400, 'properties[1].value'],
      [{ ...toItem(2), [key]: undefined }, 400, key],
      [{ ...toItem(2), [key]: null }, 400, key],
      [toItem(1), 400, key],
      [toItem(2, { destination: { page } }), 422, 'destination.page'],
    ] as const) {
      const { status: actual, body } = await post(acme, [toItem(1, HERE), bad, toItem(3)])
      const place = `items[1].${field}`
      expect(actual, body.message).toBe(status)
      if (status === 400) expect(Object.keys(body.details.fieldErrors)).toEqual([place])
      else expect(body.details).toEqual({ field: place, value: page })
      expect(body.message).toContain(`${place}: `)
    }
    for (const items of [[], Array.from({ length: 1001 }, (_, n) => toItem(n)), 'x']) {
      for (const mode of ['all', 'each']) {
        const { status, body } = await acme.post(`${path}/batch`, { mode, items })
        expect({ status, fields: Object.keys(body.details.fieldErrors) }).toEqual({ status: 400, fields: ['items'] })
      }
    }
    const many = Array.from({ length: 99 }, (_, n) => ({ key: `k${n}`, value: '' }))
    const tooMany = await post(
      acme,
      Array.from({ length: 203 }, (_, n) => toItem(n, { properties: many })),
    )
    expect(tooMany).toMatchObject({ status: 400, body: { error: 'invalid_payload' } })
    expect((await acme.get(path)).body.total).toBe(0)
    expect(await eventsOf(acme)).toEqual([])
  })

  test('does each item that can be done, and reports the others', async () => {
    const acme = await harness.createTenant()
    const other = await harness.createTenant()
    const page = (await other.post('/v1/pages', { title: 'Theirs' })).body.id
    const { body } = await post(
      acme,
      [
        toItem(1),
        toItem(2, { description: 5 }),
        toItem(3, { destination: { page } }),
        7 as never,
        toItem(1, HERE),
        toItem(4),
      ],
      'each',
    )
    expect(body).toMatchObject({ mode: 'each', created: 2, updated: 0, unchanged: 0, failed: 4 })
    const sent = (n: number) => (toItem(n) as Record<string, unknown>)[key]
    expect(body.data.map((item: any) => [item.index, item.result, item[key], item.error?.error ?? null])).toEqual([
      [0, 'created', stored(1), null],
      [1, 'error', sent(2), 'invalid_payload'],
      [2, 'error', sent(3), 'unprocessable'],
      [3, 'error', null, 'invalid_payload'],
      [4, 'error', sent(1), 'invalid_payload'],
      [5, 'created', stored(4), null],
    ])
    expect(body.data[1]).toMatchObject({ id: null, url: null })
    expect(Object.keys(body.data[1].error.details.fieldErrors)).toEqual(['items[1].description'])
    expect(body.data[2].error.details).toEqual({ field: 'items[2].destination.page', value: page })
    expect(Object.keys(body.data[3].error.details.fieldErrors)).toEqual(['items[3]'])
    expect(Object.keys(body.data[4].error.details.fieldErrors)).toEqual([`items[4].${key}`])
    expect((await acme.get(path)).body.total).toBe(2)
    expect(await eventsOf(acme)).toHaveLength(2)
    // Another organisation has its own.
    expect((await post(other, [toItem(1)])).body).toMatchObject({ created: 1 })
    const none = await post(acme, [7 as never], 'each')
    expect(none).toMatchObject({ status: 200, body: { created: 0, failed: 1 } })
  })

  test('runs as many statements for many items as for two, new, changed and unchanged', async () => {
    const acme = await harness.createTenant()
    const items = (count: number, name: string) =>
      Array.from({ length: count }, (_, n) => toItem(n, { ...LISTS, ...HERE, name, description: name }))
    const statements = async (count: number, name: string) => {
      const ran = await harness.statementsOf(async () =>
        expect((await post(acme, items(count, name))).status).toBe(200),
      )
      // Work in the background runs statements, too, but on other tables.
      const own = /"(objects|products|key_values|scan_targets|audit_log)"|into "events"/
      return ran.filter(({ sql }) => own.test(sql)).length
    }
    const few = [await statements(2, 'Chair'), await statements(2, 'Stool'), await statements(2, 'Stool')]
    const many = [await statements(40, 'Bench'), await statements(40, 'Sofa'), await statements(40, 'Sofa')]
    // The first of many also finds two items that exist.
    expect(many[1]).toBeLessThanOrEqual(few[1]!)
    expect(many[2]).toBeLessThanOrEqual(few[2]!)
    expect(many[0]).toBeLessThanOrEqual(few[0]! + few[1]!)
  })

  test('of concurrent batches with the same new items one creates each, and a repeated key replays', async () => {
    const acme = await harness.createTenant()
    const items = Array.from({ length: 10 }, (_, n) => toItem(n, LISTS))
    const replies = await Promise.all(
      [items, items.toReversed(), items.slice(5), items].map((some) => post(acme, some)),
    )
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(replies.reduce((total, { body }) => total + body.created, 0)).toBe(10)
    expect(replies.every(({ body }) => body.updated === 0)).toBe(true)
    expect((await acme.get(path)).body.total).toBe(10)
    const same = () => acme.post(`${path}/batch`, { items: [toItem(11)] }, { 'idempotency-key': 'batch' })
    expect((await same()).text).toBe((await same()).text)
  })

  test('refuses to change lists that are too long to be read at once', async () => {
    const acme = await harness.createTenant()
    const { data } = (await post(acme, [toItem(1), toItem(2)])).body
    const now = timestamp(harness.nowMs())
    const long = { key: 'a', value: 'x'.repeat(4_100_000), list: 'properties' as const, sort_order: 0 }
    const rows = data.map(({ id: owner_id }: { id: string }) => ({
      ...long,
      ...{ id: newId(), org_id: acme.orgId, owner_id, created_at: now, updated_at: now },
    }))
    await harness.service.database.write((tx) => tx.insertInto('key_values').values(rows).execute())
    const refused = await post(acme, [toItem(1, { properties: [] }), toItem(2, { properties: [] })])
    expect(refused).toMatchObject({ status: 422, body: { details: { field: 'items' } } })
    expect((await post(acme, [toItem(1), toItem(2)])).body).toMatchObject({ unchanged: 2 })
  })
})

test('objects take GS1 keys in a batch, one object each, and scans follow', async () => {
  const acme = await harness.createTenant()
  const key = (n: number) => `8004/9506000CHAIR${n}`
  const post = (items: object[], mode = 'all') =>
    acme.post('/v1/objects/batch', { mode, items: items.map((item) => ({ type: 'chair', ...HERE, ...item })) })
  await post([{ external_id: 'a', gs1_key: key(1) }, { external_id: 'b' }])
  for (const gs1_key of [key(1), key(2)]) {
    const items = [
      { external_id: 'b', gs1_key: key(2) },
      { external_id: 'c', gs1_key },
    ]
    const { status, body } = await post(items)
    expect({ status, details: body.details }).toEqual({
      status: 409,
      details: { field: 'items[1].gs1_key', value: gs1_key },
    })
  }
  const wrong = await post([{ external_id: 'b', gs1_key: '414/1' }])
  expect(Object.keys(wrong.body.details.fieldErrors)).toEqual(['items[0].gs1_key'])
  const each = await post(
    [
      { external_id: 'a', gs1_key: key(3) },
      { external_id: 'b', gs1_key: key(1) },
    ],
    'each',
  )
  expect(each.body.data.map(({ result }: any) => result)).toEqual(['updated', 'error'])
  const at = (n: number) => scan(harness, `/g/${acme.slug}/${key(n)}`)
  expect((await at(1)).status).toBe(410)
  expect((await at(3)).headers.get('location')).toBe('https://acme.com/here')
  expect((await post([{ external_id: 'b', gs1_key: key(1) }])).body).toMatchObject({ updated: 1 })
  expect((await at(1)).status).toBe(302)
})

test('a wrong check digit and another form of the same GTIN are errors of their items', async () => {
  const acme = await harness.createTenant()
  const named = (gtin: string) => ({ gtin, name: 'Chair' })
  const { body } = await acme.post('/v1/products/batch', {
    items: [named('9506000134353'), named('9506000134352'), named('09506000134352'), named('1234567')],
  })
  expect(Object.keys(body.details.fieldErrors)).toEqual(['items[3].gtin'])
  const rules = await acme.post('/v1/products/batch', {
    items: [named('9506000134353'), named('9506000134352'), named('09506000134352')],
  })
  expect(Object.keys(rules.body.details.fieldErrors)).toEqual(['items[0].gtin', 'items[2].gtin'])
  const images = { ...named('9506000134352'), image_urls: [] }
  const refused = await acme.post('/v1/products/batch', { items: [images] })
  expect(Object.keys(refused.body.details.fieldErrors)).toEqual(['items[0].image_urls'])
})

test('a conflict of GTINs names the product that has it', async () => {
  const acme = await harness.createTenant()
  const { body: chair } = await acme.post('/v1/products', { name: 'Chair', gtin: '9506000134352' })
  const { body: stool } = await acme.post('/v1/products', { name: 'Stool' })
  const sent = { name: 'Chair', gtin: '09506000134352' }
  for (const reply of [await acme.post('/v1/products', sent), await acme.patch(`/v1/products/${stool.id}`, sent)]) {
    const details = { field: 'gtin', value: '09506000134352', id: chair.id }
    expect(reply).toMatchObject({ status: 409, body: { error: 'conflict', details } })
  }
})
