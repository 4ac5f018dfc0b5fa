import { describe, expect, test } from 'vitest'
import { HOUR_MS, timestamp } from '../../../platform/clock/index.ts'
import { newId } from '../../../platform/ids/index.ts'
import { PHONE, scan } from '../../../testing/data/scans.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'

const harness = useHarness()

const to = (place: string) => ({ destination: { url: `https://acme.com/${place}` } })
const rule = (id: string, when: object, then: object = to(id)) => ({ id, name: `The rule ${id}`, when, then })

const create = async (tenant: Tenant, family: string, body: object = {}): Promise<any> => {
  const reply = await tenant.post(`/v1/${family}`, body)
  expect(reply, reply.text).toMatchObject({ status: 201 })
  return reply.body
}
const put = (tenant: Tenant, path: string, body: object) => tenant.put(`/v1/${path}/rules`, body)
const setRules = async (tenant: Tenant, path: string, rules: object[], more: object = {}): Promise<any> => {
  const reply = await put(tenant, path, { rules, ...more })
  expect(reply, reply.text).toMatchObject({ status: 200 })
  return reply.body
}
/** Where a scan leads, without the beginning. */
const leads = async (path: string, headers: Record<string, string> = {}) =>
  (await scan(harness, path, headers)).headers.get('location')?.replace('https://acme.com/', '') ?? null
const eventsOf = async (tenant: Tenant): Promise<any[]> => (await tenant.get('/v1/events?limit=100')).body.data

const DESKTOP =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36'

describe('the document', () => {
  test('is empty at first, in the time zone of the organisation', async () => {
    const acme = await harness.createTenant()
    await acme.patch('/v1/organisation', { time_zone: 'Asia/Kathmandu' })
    for (const [family, body] of Object.entries({
      'qr-codes': {},
      'qr-groups': { name: 'Menu' },
      objects: { type: 'table' },
      products: { name: 'Soup' },
    })) {
      const { id, has_rules } = await create(acme, family, body)
      expect(has_rules).toBe(false)
      expect((await acme.get(`/v1/${family}/${id}/rules`)).body).toEqual({
        object: 'rules',
        version: null,
        time_zone: 'Asia/Kathmandu',
        rules: [],
        examples: [],
        warnings: [],
        updated_at: null,
      })
    }
  })

  test('is replaced as a whole, is returned as it was sent, and can be sent back', async () => {
    const acme = await harness.createTenant()
    const { id } = await create(acme, 'qr-codes', to('default'))
    const when = { all: [{ weekday: ['mon'], from: '11:00', to: '14:30' }, { not: { language: ['en'] } }] }
    const split = [
      { key: 'a', weight: 70, ...to('a') },
      { key: 'b', weight: 30, ...to('b') },
    ]
    const sent = [rule('lunch', when), { ...rule('test', {}, { split }), active: false }]
    const examples = [{ name: 'Noon', facts: { at: '2026-11-16T12:10:00+01:00', language: 'de' }, expect: 'lunch' }]
    const saved = await setRules(acme, `qr-codes/${id}`, sent, { time_zone: 'Europe/Berlin', examples })
    expect(saved).toMatchObject({ version: 1, time_zone: 'Europe/Berlin', examples })
    expect(saved.rules[0]).toMatchObject({ id: 'lunch', active: true, when, then: to('lunch') })
    expect(saved.rules[1]).toMatchObject({ id: 'test', active: false, then: { split } })
    expect((await acme.get(`/v1/qr-codes/${id}/rules`)).body).toEqual(saved)
    expect((await acme.get(`/v1/qr-codes/${id}`)).body).toMatchObject({ has_rules: true })

    const before = await eventsOf(acme)
    const { rules, time_zone } = saved
    expect(await setRules(acme, `qr-codes/${id}`, rules, { time_zone, examples: saved.examples })).toEqual(saved)
    expect(await eventsOf(acme)).toEqual(before)
  })

  test('is a change of its owner, with an event, and an empty list removes it', async () => {
    const acme = await harness.createTenant()
    const { id, updated_at } = await create(acme, 'qr-codes', to('default'))
    harness.advance(1000)
    await setRules(acme, `qr-codes/${id}`, [rule('all', {})])
    const [event] = await eventsOf(acme)
    expect(event).toMatchObject({ type: 'qr_code.updated', data: { id, has_rules: true } })
    expect(event.data.updated_at > updated_at).toBe(true)
    expect(event.data.changes).toMatchObject({
      has_rules: { from: false, to: true },
      rules_version: { from: null, to: 1 },
    })
    expect(await setRules(acme, `qr-codes/${id}`, [])).toMatchObject({ version: null, rules: [] })
    expect((await acme.get(`/v1/qr-codes/${id}`)).body).toMatchObject({ has_rules: false })
    expect(await setRules(acme, `qr-codes/${id}`, [rule('all', {})])).toMatchObject({ version: 2 })
  })

  test.each<[name: string, body: object, field: string | undefined]>([
    ['no rules', {}, 'rules'],
    ['two rules with one id', { rules: [rule('a', {}), rule('a', {})] }, 'rules[1].id'],
    ['an unknown condition', { rules: [rule('a', { weather: ['rain'] })] }, undefined],
    ['no destination', { rules: [rule('a', {}, { destination: null })] }, 'rules[0].then.destination'],
    ['neither destination nor split', { rules: [rule('a', {}, {})] }, undefined],
    ['both', { rules: [rule('a', {}, { ...to('a'), split: [] })] }, undefined],
    ['an example of no rule', { rules: [], examples: [{ name: 'x', facts: {}, expect: 'a' }] }, 'examples[0].expect'],
    ['51 rules', { rules: Array.from({ length: 51 }, (_, n) => rule(`r${n}`, {})) }, 'rules'],
    [
      'too much text',
      { rules: Array.from({ length: 50 }, (_, n) => rule(`r${n}`, {}, to('x'.repeat(900)))) },
      undefined,
    ],
    ['a zone on Mars', { rules: [], time_zone: 'Mars/Olympus' }, 'time_zone'],
  ])('with %s is refused and changes nothing', async (_name, body, field) => {
    const acme = await harness.createTenant()
    const { id } = await create(acme, 'qr-codes')
    const reply = await put(acme, `qr-codes/${id}`, body)
    expect(reply, reply.text).toMatchObject({ status: 400, body: { error: 'invalid_payload' } })
    if (field !== undefined) expect(Object.keys(reply.body.details.fieldErrors)).toContain(field)
    expect((await acme.get(`/v1/qr-codes/${id}/rules`)).body.version).toBeNull()
  })

  test('with an example that fails is refused, and the response explains why', async () => {
    const acme = await harness.createTenant()
    const { id } = await create(acme, 'qr-codes')
    await setRules(acme, `qr-codes/${id}`, [rule('all', {})])
    const examples = [{ name: 'Tuesday noon', facts: { at: '2026-11-17T12:00:00Z' }, expect: 'monday' }]
    const reply = await put(acme, `qr-codes/${id}`, { rules: [rule('monday', { weekday: ['mon'] })], examples })
    expect(reply).toMatchObject({
      status: 422,
      body: { error: 'unprocessable', details: { field: 'examples[0]', value: 'monday', actual: null } },
    })
    expect(reply.body.message).toContain('Tuesday')
    expect((await acme.get(`/v1/qr-codes/${id}/rules`)).body).toMatchObject({ version: 1, rules: [{ id: 'all' }] })
  })

  test('cannot lead to what another organisation has', async () => {
    const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
    const page = await create(other, 'pages', { title: 'Menu' })
    const { id } = await create(acme, 'qr-codes')
    const split = [
      { key: 'a', weight: 1, ...to('a') },
      { key: 'b', weight: 1, destination: { page: page.id } },
    ]
    const reply = await put(acme, `qr-codes/${id}`, { rules: [rule('a', {}, { split })] })
    expect(reply).toMatchObject({
      status: 422,
      body: { details: { field: 'rules[0].then.split[1].destination.page' } },
    })
    expect((await put(other, `qr-codes/${id}`, { rules: [] })).status).toBe(404)
  })

  test('warns of what is probably a mistake', async () => {
    const acme = await harness.createTenant()
    const page = await create(acme, 'pages', { title: 'Menu', status: 'draft' })
    const code = await create(acme, 'qr-codes')
    const { warnings } = await setRules(acme, `qr-codes/${code.id}`, [
      rule('germany', { country: ['DE'] }),
      rule('loop', { lot: ['L1'] }, { destination: { url: code.url } }),
      rule('draft', { lot: ['L2'] }, { destination: { page: page.id } }),
      rule('all', {}),
      rule('late', { device: ['mobile'] }),
    ])
    expect(warnings.map(({ code, rule_id }: any) => [code, rule_id])).toEqual(
      expect.arrayContaining([
        ['no_countries', 'germany'],
        ['loop', 'loop'],
        ['not_published', 'draft'],
        ['unreachable', 'late'],
      ]),
    )
    expect(warnings).toHaveLength(4)
  })
})

test('of a thousand newer documents, none displaces one that is in use: restored, or scheduled', async () => {
  const acme = await harness.createTenant()
  const code = await create(acme, 'qr-codes', to('default'))
  const path = `qr-codes/${code.id}`
  await setRules(acme, path, [rule('old', {})])
  const effective_at = timestamp(harness.nowMs() + HOUR_MS)
  const later = { effective_at, rules: { rules: [rule('later', {})] } }
  expect((await acme.post(`/v1/${path}/history`, later)).status).toBe(201)
  const document = { time_zone: 'UTC', rules: [], examples: [] }
  const row = { id: newId(), org_id: acme.orgId, owner_id: code.id, version: 3, document, created_at: effective_at }
  const { kysely } = harness.service.database
  for (const version of [3, 1098])
    await kysely
      .insertInto('target_rules')
      .values({ ...row, id: newId(), version })
      .execute()
  await setRules(acme, path, [rule('newer', {})])
  expect((await acme.post(`/v1/${path}/history/2/restore`)).status).toBe(200)
  // Version 1,100, with which the oldest documents are deleted.
  const last = {
    ...later,
    effective_at: timestamp(harness.nowMs() + 2 * HOUR_MS),
    rules: { rules: [rule('last', {})] },
  }
  expect((await acme.post(`/v1/${path}/history`, last)).status).toBe(201)
  const left = await kysely.selectFrom('target_rules').select('version').where('org_id', '=', acme.orgId).execute()
  expect(left.map(({ version }) => version).sort((one, other) => one - other)).toEqual([1, 2, 1098, 1099, 1100])
  expect(await leads(`/${code.public_slug}`)).toBe('old')
  harness.advance(HOUR_MS + 1000)
  expect(await leads(`/${code.public_slug}`)).toBe('later')
})

describe('scans', () => {
  test('follow the first rule that matches, else the destination, and say so', async () => {
    const acme = await harness.createTenant()
    const code = await create(acme, 'qr-codes', to('default'))
    const path = `/${code.public_slug}`
    await setRules(acme, `qr-codes/${code.id}`, [
      { ...rule('off', {}), active: false },
      rule('german', { language: ['de'] }),
      rule('desktop', { device: ['desktop'] }),
      rule('table', { query: { key: 'table', is: '7' } }),
    ])
    expect(await leads(path, { 'accept-language': 'de-AT, en;q=0.5' })).toBe('german')
    expect(await leads(path, { 'accept-language': 'en, de;q=0.5', 'user-agent': DESKTOP })).toBe('desktop')
    expect(await leads(`${path}?table=7`, { 'user-agent': PHONE })).toBe('table?table=7')
    expect(await leads(path)).toBe('default')
    await acme.patch(`/v1/qr-codes/${code.id}`, { status: 'inactive' })
    expect(await leads(path, { 'accept-language': 'de' })).toBeNull()
    const scans = (await acme.get(`/v1/qr-codes/${code.id}/scans`)).body.data
    const decided = (reason: string, rule_id: string | null, version = 2) => ({
      reason,
      rule_id,
      rules_version: rule_id === null ? null : 1,
      variant: null,
      version,
    })
    expect(scans.map(({ decision }: any) => decision)).toEqual([
      decided('paused', null, 3),
      decided('default', null),
      decided('rule', 'table'),
      decided('rule', 'desktop'),
      decided('rule', 'german'),
    ])
  })

  test('of a code without rules use those of its group, also if it has a destination', async () => {
    const acme = await harness.createTenant()
    const group = await create(acme, 'qr-groups', { name: 'Menu' })
    const own = await create(acme, 'qr-codes', { group_id: group.id, ...to('own') })
    const none = await create(acme, 'qr-codes', { group_id: group.id })
    await setRules(acme, `qr-groups/${group.id}`, [rule('german', { language: ['de'] })])
    const german = { 'accept-language': 'de' }
    for (const { public_slug } of [own, none]) expect(await leads(`/${public_slug}`, german)).toBe('german')
    expect([await leads(`/${own.public_slug}`), await leads(`/${none.public_slug}`)]).toEqual(['own', null])
    await setRules(acme, `qr-codes/${own.id}`, [rule('never', { lot: ['L1'] })])
    expect(await leads(`/${own.public_slug}`, german)).toBe('own')
  })

  test('of a code that is not set up lead somewhere as soon as a rule matches', async () => {
    const acme = await harness.createTenant()
    const code = await create(acme, 'qr-codes')
    await setRules(acme, `qr-codes/${code.id}`, [rule('german', { language: ['de'] })])
    expect((await acme.get(`/v1/qr-codes/${code.id}`)).body.status).toBe('unconfigured')
    expect(await leads(`/${code.public_slug}`, { 'accept-language': 'de' })).toBe('german')
    expect((await scan(harness, `/${code.public_slug}`)).status).toBe(200)
  })

  test('tell how the address was read, which is not passed on', async () => {
    const acme = await harness.createTenant()
    const code = await create(acme, 'qr-codes', to('default'))
    await setRules(acme, `qr-codes/${code.id}`, [rule('chip', { via: ['nfc'] }), rule('print', { via: ['print'] })])
    expect(await leads(`/${code.public_slug}?via=nfc&a=1`)).toBe('chip?a=1')
    expect(await leads(`/${code.public_slug}?via=poster`)).toBe('default')
    expect(await leads(`/${code.public_slug}`)).toBe('print')
    expect((await acme.get(`/v1/qr-codes/${code.id}`)).body.total_scans).toBe(3)
    const vias = await harness.service.database.read
      .selectFrom('scans')
      .select('via')
      .where('org_id', '=', acme.orgId)
      .orderBy('id')
      .execute()
    expect(vias.map(({ via }) => via)).toEqual(['nfc', 'poster', null])
  })

  test('share a split by weight, each visitor with the same variant', async () => {
    const acme = await harness.createTenant()
    const code = await create(acme, 'qr-codes')
    const split = [
      { key: 'a', weight: 50, ...to('a') },
      { key: 'b', weight: 50, ...to('b') },
    ]
    await setRules(acme, `qr-codes/${code.id}`, [rule('test', {}, { split })])
    const visitors = Array.from({ length: 40 }, (_, n) => ({ 'user-agent': `${PHONE} ${n}` }))
    const first = await Promise.all(visitors.map((headers) => leads(`/${code.public_slug}`, headers)))
    const second = await Promise.all(visitors.map((headers) => leads(`/${code.public_slug}`, headers)))
    expect(second).toEqual(first)
    expect(new Set(first)).toEqual(new Set(['a', 'b']))
    const [{ decision }] = (await acme.get(`/v1/qr-codes/${code.id}/scans?limit=1`)).body.data
    expect(decision).toMatchObject({ reason: 'split', rule_id: 'test', variant: expect.stringMatching(/^[ab]$/) })
  })

  test('are counted by people alone, exactly, also many at once', async () => {
    const acme = await harness.createTenant()
    const code = await create(acme, 'qr-codes', to('default'))
    const path = `/${code.public_slug}`
    await leads(path)
    await setRules(acme, `qr-codes/${code.id}`, [rule('prize', { scan_number: { of: 'code', to: 20 } })])
    expect((await scan(harness, path, { 'user-agent': 'Googlebot/2.1' })).headers.get('location')).toContain('prize')
    const places = await Promise.all(Array.from({ length: 50 }, () => leads(path)))
    expect(places.filter((place) => place === 'prize')).toHaveLength(19)
    expect(await leads(path)).toBe('default')
  })
})

describe('a code on an object', () => {
  test('leads where the object leads if it has nothing of its own, and its scans count for both', async () => {
    const acme = await harness.createTenant()
    const object = await create(acme, 'objects', {
      type: 'machine',
      ...to('object'),
      properties: [{ key: 'model', value: 'X-2' }],
    })
    const code = await create(acme, 'qr-codes', { object_id: object.id })
    expect(code).toMatchObject({ object_id: object.id, status: 'unconfigured' })
    expect(await leads(`/${code.public_slug}`)).toBe('object')
    await setRules(acme, `objects/${object.id}`, [
      rule('third', { scan_number: { of: 'object', from: 3, to: 3 } }),
      rule('model', { property: { key: 'model', is: 'X-2' } }),
    ])
    expect(await leads(`/o/${object.public_slug}`)).toBe('model')
    expect(await leads(`/${code.public_slug}`)).toBe('third')
    await acme.put(`/v1/objects/${object.id}/properties`, { properties: [{ key: 'model', value: 'X-3' }] })
    expect(await leads(`/${code.public_slug}`)).toBe('object')

    expect((await acme.get(`/v1/qr-codes/${code.id}`)).body.total_scans).toBe(3)
    const counted = (await acme.get(`/v1/objects/${object.id}`)).body
    const scans = (await acme.get(`/v1/objects/${object.id}/scans`)).body.data
    expect(counted.total_scans).toBe(4)
    expect(counted.last_scanned_at).toBe(scans[0].scanned_at)
    expect(scans.map(({ qr_code_id, object_id }: any) => [qr_code_id, object_id])).toEqual([
      [code.id, object.id],
      [code.id, object.id],
      [null, object.id],
      [code.id, object.id],
    ])
    const firstPage = (await acme.get(`/v1/objects/${object.id}/scans?limit=2`)).body
    const rest = (await acme.get(`/v1/objects/${object.id}/scans?cursor=${encodeURIComponent(firstPage.next_cursor)}`))
      .body
    expect([...firstPage.data, ...rest.data]).toEqual(scans)

    await acme.patch(`/v1/qr-codes/${code.id}`, to('own'))
    expect(await leads(`/${code.public_slug}`)).toBe('own')
    expect((await acme.get(`/v1/qr-codes?object_id=${object.id}`)).body).toMatchObject({
      total: 1,
      data: [{ id: code.id }],
    })
  })

  test('keeps working when the object is deleted, and belongs to none then', async () => {
    const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
    const object = await create(acme, 'objects', { type: 'machine', ...to('object') })
    const code = await create(acme, 'qr-codes', { object_id: object.id })
    expect(await leads(`/${code.public_slug}`)).toBe('object')
    await acme.delete(`/v1/objects/${object.id}`)
    expect((await scan(harness, `/${code.public_slug}`)).status).toBe(200)
    expect((await acme.get(`/v1/qr-codes/${code.id}`)).body.object_id).toBeNull()
    const foreign = await other.post('/v1/qr-codes', { object_id: object.id })
    expect(foreign).toMatchObject({ status: 422, body: { details: { field: 'object_id' } } })
    expect((await acme.patch(`/v1/qr-codes/${code.id}`, { object_id: object.id })).status).toBe(422)
  })
})

describe('a product', () => {
  const GTIN = '09506000134352'

  test('leads by its status, the type that was asked for, the lot, its rules and then its default link', async () => {
    const acme = await harness.createTenant()
    const product = await create(acme, 'products', { name: 'Soup', gtin: GTIN, ...to('default') })
    const root = `/g/${acme.slug}/01/${GTIN}`
    await acme.put(`/v1/products/${product.id}/links`, {
      links: [
        { link_type: 'gs1:instructions', url: 'https://acme.com/manual', title: 'Manual' },
        { link_type: 'gs1:recallStatus', url: 'https://acme.com/recall', title: 'Recall', lot: 'L1', is_default: true },
      ],
    })
    await setRules(acme, `products/${product.id}`, [
      rule('old', { lot: ['L0'] }),
      rule('german', { language: ['de'] }, { destination: { url: 'https://acme.com/german/{gtin}' } }),
    ])
    const german = { 'accept-language': 'de', accept: 'text/html' }
    expect(await leads(`${root}?linkType=gs1:instructions`, german)).toMatch(/^manual/)
    expect(await leads(`${root}/10/L1`, german)).toBe('recall')
    expect(await leads(`${root}/10/L0`, german)).toBe('old')
    expect(await leads(root, german)).toBe(`german/${GTIN}`)
    expect(await leads(root)).toBe('default')
    await acme.patch(`/v1/products/${product.id}`, { status: 'inactive' })
    expect(await leads(root, german)).toBeNull()
  })
})
