import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY_MS, timestamp, toMs } from '../../../platform/clock/index.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { factsOf, type ImaginedScan } from '../decisions/index.ts'
import { documents, imaginedScans } from '../decisions/testing/arbitraries.ts'
import { decideNaively } from '../decisions/testing/naive.ts'

const harness = useHarness()

const GTIN = '09506000134352'
const to = (place: string) => ({ destination: { url: `https://acme.com/${place}` } })
const rule = (id: string, when: object, then: object = to(id)) => ({ id, name: `The rule ${id}`, when, then })

const create = async (tenant: Tenant, family: string, body: object = {}): Promise<any> => {
  const reply = await tenant.post(`/v1/${family}`, body)
  expect(reply, reply.text).toMatchObject({ status: 201 })
  return reply.body
}
const simulate = async (tenant: Pick<Tenant, 'post'>, body: object): Promise<any> => {
  const reply = await tenant.post('/v1/simulate', body)
  expect(reply, reply.text).toMatchObject({ status: 200 })
  return reply.body
}
const LUNCH = [
  rule('lunch', { weekday: ['mon'], from: '11:00', to: '14:30' }),
  rule('germany', { country: ['DE'] }),
  rule('table', { query: { key: 'table', exists: true } }),
]
/** What the service knows of a code without properties that was never scanned. */
const KNOWN = { salt: '', scanNumber: (of: string) => (of === 'code' ? 1 : undefined), property: () => null }
const MONDAY_NOON = '2050-11-14T12:10:00+01:00'

describe('a simulated scan', () => {
  test('says where it would lead and why, with every condition, and records nothing', async () => {
    const acme = await harness.createTenant()
    const code = await create(acme, 'qr-codes', { ...to('default'), url_params: [{ key: 'from', value: 'code' }] })
    await acme.put(`/v1/qr-codes/${code.id}/rules`, { time_zone: 'Europe/Berlin', rules: LUNCH })
    const simulated = await simulate(acme, { qr_code_id: code.id, at: MONDAY_NOON })
    expect(simulated).toMatchObject({
      object: 'simulation',
      qr_code_id: code.id,
      object_id: null,
      product_id: null,
      at: '2050-11-14T11:10:00.000+00:00',
      version: 2,
      reason: 'rule',
      rule_id: 'lunch',
      rules_version: 1,
      destination: { type: 'url', url: 'https://acme.com/lunch' },
      location: 'https://acme.com/lunch?from=code',
      link: null,
    })
    expect(simulated.sentence).toBe('It was 12:10 in Berlin on Monday, so *The rule lunch* matched.')
    expect(simulated.steps.map(({ rule_id, result }: any) => [rule_id, result])).toEqual([
      ['lunch', 'true'],
      ['germany', 'not_tried'],
      ['table', 'not_tried'],
    ])
    const other = await simulate(acme, { address: `${code.url}?table=7`, at: '2050-11-15T12:10:00+01:00' })
    expect(other).toMatchObject({
      reason: 'rule',
      rule_id: 'table',
      location: 'https://acme.com/table?from=code&table=7',
    })
    expect(other.steps[1]).toMatchObject({
      result: 'unknown',
      conditions: [{ kind: 'country', result: 'unknown', saw: null }],
    })
    expect(other.steps[1].conditions[0].sentence).toContain('no source for countries')
    expect(await simulate(acme, { qr_code_id: code.id, country: 'DE', at: '2050-11-15T12:10:00Z' })).toMatchObject({
      rule_id: 'germany',
    })
    expect((await acme.get('/v1/scans')).body.data).toEqual([])
    expect((await acme.get(`/v1/qr-codes/${code.id}`)).body.total_scans).toBe(0)
  })

  test('tries rules that are not saved, and refuses those whose examples fail', async () => {
    const acme = await harness.createTenant()
    const code = await create(acme, 'qr-codes', to('default'))
    const draft_rules = { rules: [rule('draft', { device: ['mobile'] })] }
    const request = { address: `/${code.public_slug}`, device: 'mobile', draft_rules }
    expect(await simulate(acme, request)).toMatchObject({ reason: 'rule', rule_id: 'draft', rules_version: null })
    expect(await simulate(acme, { ...request, device: 'desktop' })).toMatchObject({ reason: 'default' })
    expect(await simulate(acme, { address: request.address })).toMatchObject({ reason: 'default', steps: [] })
    const examples = [{ name: 'Phone', facts: { device: 'mobile' }, expect: null }]
    const failing = { ...request, draft_rules: { ...draft_rules, examples } }
    expect(await acme.post('/v1/simulate', failing)).toMatchObject({
      status: 422,
      body: { details: { field: 'examples[0]' } },
    })
  })

  test('in the past has the version of then, of the code and of its group, and in the future what is scheduled', async () => {
    const acme = await harness.createTenant()
    const group = await create(acme, 'qr-groups', { name: 'Menu', ...to('spring') })
    const code = await create(acme, 'qr-codes', { group_id: group.id })
    const at = (days: number) => timestamp(harness.nowMs() + days * DAY_MS)
    const then = at(0)
    harness.advance(10 * DAY_MS)
    await acme.patch(`/v1/qr-groups/${group.id}`, to('summer'))
    harness.advance(10 * DAY_MS)
    await acme.put(`/v1/qr-codes/${code.id}/rules`, { rules: [rule('all', {})] })
    await acme.post(`/v1/qr-codes/${code.id}/history`, { effective_at: at(10), rules: null, ...to('winter') })
    const leads = async (at: string) => {
      const { reason, version, destination } = await simulate(acme, { qr_code_id: code.id, at })
      return [reason, version, destination.url]
    }
    for (const early of [at(-1000), then]) expect(await leads(early)).toEqual(['default', 1, 'https://acme.com/spring'])
    expect(await leads(at(-5))).toEqual(['default', 1, 'https://acme.com/summer'])
    expect(await leads(at(0))).toEqual(['rule', 2, 'https://acme.com/all'])
    expect(await leads(at(11))).toEqual(['default', 3, 'https://acme.com/winter'])
  })

  test('of an object uses its properties, and the number of its next scan', async () => {
    const acme = await harness.createTenant()
    const properties = [{ key: 'model', value: 'X-2' }]
    const object = await create(acme, 'objects', { type: 'machine', properties })
    const code = await create(acme, 'qr-codes', { object_id: object.id })
    const rules = [
      rule('hundredth', { scan_number: { of: 'object', from: 100, to: 100 } }),
      rule('model', { property: { key: 'model', is: 'X-2' }, scan_number: { of: 'code', to: 1 } }),
    ]
    await acme.put(`/v1/objects/${object.id}/rules`, { rules })
    expect(await simulate(acme, { qr_code_id: code.id })).toMatchObject({ rule_id: 'model', object_id: object.id })
    expect(await simulate(acme, { object_id: object.id, scan_number: 100 })).toMatchObject({ rule_id: 'hundredth' })
    expect(await simulate(acme, { object_id: object.id, properties: {} })).toMatchObject({ reason: 'not_set_up' })
  })

  test('of a GS1 Digital Link says which link was chosen, and why', async () => {
    const acme = await harness.createTenant()
    const product = await create(acme, 'products', { name: 'Soup', gtin: GTIN, ...to('default') })
    const links = [
      { link_type: 'gs1:instructions', url: 'https://acme.com/en', title: 'Manual', language: 'en' },
      { link_type: 'gs1:instructions', url: 'https://acme.com/de', title: 'Anleitung', language: 'de' },
      { link_type: 'gs1:recallStatus', url: 'https://acme.com/recall', title: 'Recall', lot: 'L1', is_default: true },
    ]
    await acme.put(`/v1/products/${product.id}/links`, { links })
    const manual = await simulate(acme, { product_id: product.id, link_type: 'gs1:instructions', language: 'de' })
    expect(manual).toMatchObject({
      reason: 'link',
      product_id: product.id,
      destination: { url: 'https://acme.com/de' },
      link: { link_type: 'gs1:instructions', title: 'Anleitung', language: 'de' },
    })
    expect(manual.sentence).toContain('in de')
    expect(await simulate(acme, { address: `/g/${acme.slug}/01/${GTIN}/10/L1` })).toMatchObject({
      reason: 'link',
      link: { link_type: 'gs1:recallStatus', lot: 'L1' },
    })
    expect(await simulate(acme, { product_id: product.id })).toMatchObject({
      destination: { url: 'https://acme.com/default' },
    })
    expect(await simulate(acme, { product_id: product.id, link_type: 'gs1:faqs' })).toMatchObject({ reason: 'no_link' })
  })

  test('of what is paused, not set up or deleted says so', async () => {
    const acme = await harness.createTenant()
    const reasonOf = async (body: object) => (await simulate(acme, body)).reason
    const paused = await create(acme, 'qr-codes', { ...to('a'), status: 'inactive' })
    const empty = await create(acme, 'qr-codes')
    const deleted = await create(acme, 'qr-codes', to('a'))
    await acme.delete(`/v1/qr-codes/${deleted.id}`)
    expect(await reasonOf({ qr_code_id: paused.id })).toBe('paused')
    expect(await reasonOf({ qr_code_id: empty.id })).toBe('not_set_up')
    expect(await reasonOf({ address: deleted.url })).toBe('gone')
    expect((await acme.post('/v1/simulate', { qr_code_id: deleted.id })).status).toBe(410)
  })

  test('is about one thing of the own organisation, for everybody who may view codes', async () => {
    const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
    const code = await create(other, 'qr-codes', to('a'))
    expect((await acme.post('/v1/simulate', { qr_code_id: code.id })).status).toBe(404)
    for (const address of [code.url, '/docs/start', 'https://acme.com/nothing-here', '/aB3dE5gH'])
      expect(await acme.post('/v1/simulate', { address }), address).toMatchObject({ status: 422 })
    for (const body of [{}, { qr_code_id: code.id, address: code.url }, { address: code.url, weather: 'rain' }])
      expect(await acme.post('/v1/simulate', body)).toMatchObject({ status: 400, body: { error: 'invalid_payload' } })
    const own = await create(acme, 'qr-codes', to('a'))
    const reader = harness.client(harness.scoped.issue(acme.orgId, ['qr.view']))
    expect(await simulate(reader, { qr_code_id: own.id })).toMatchObject({ reason: 'default' })
    const stranger = harness.client(harness.scoped.issue(acme.orgId, ['pages.manage']))
    expect((await stranger.post('/v1/simulate', { qr_code_id: own.id })).status).toBe(403)
  })
})

test('random documents decide about random scans as a naive evaluator does, after they were stored', async () => {
  const acme = await harness.createTenant()
  const code = await create(acme, 'qr-codes')
  // The time of a scan in the past would choose a version in which there were no rules yet.
  const later = (scan: ImaginedScan) => ({ ...scan, at: timestamp(toMs(scan.at as string) + 8000 * DAY_MS) })
  const places = fc.constantFrom('a', 'b', 'c').map((place) => to(place).destination)
  await fc.assert(
    fc.asyncProperty(
      documents(places),
      fc.array(imaginedScans.map(later), { minLength: 3, maxLength: 3 }),
      async ({ timeZone, rules, version }, scans) => {
        const reply = await acme.put(`/v1/qr-codes/${code.id}/rules`, { time_zone: timeZone, rules })
        expect(reply, reply.text).toMatchObject({ status: 200 })
        for (const scan of scans) {
          const expected = decideNaively({ timeZone, rules, version }, factsOf(scan, { ...KNOWN, atMs: toMs(scan.at) }))
          const { rule_id, variant, destination } = await simulate(acme, { qr_code_id: code.id, ...scan })
          expect([rule_id, variant, destination.url]).toEqual(
            expected === undefined ? [null, null, null] : [expected.ruleId, expected.variant, expected.destination.url],
          )
        }
      },
    ),
    { numRuns: 40 },
  )
})
