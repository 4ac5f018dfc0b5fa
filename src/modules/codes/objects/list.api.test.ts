import { expect, test } from 'vitest'
import { timestamp } from '../../../platform/clock/index.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { storeScans } from '../scans/index.ts'
import { toRecordedScan } from '../scans/testing/stored-scan.ts'

const harness = useHarness()

const create = async (tenant: Tenant, body: object): Promise<any> => {
  const reply = await tenant.post('/v1/objects', body)
  expect(reply.status, reply.text).toBe(201)
  return reply.body
}

test('each sort returns every object exactly once across pages', async () => {
  const acme = await harness.createTenant()
  const made: any[] = []
  for (const [type, name] of [
    ['table', 'äpfel'],
    ['chair', null],
    ['chair', 'Zebra'],
    ['Chair', 'Apfel'],
    ['table', 'apfel'],
  ] as const) {
    harness.advance(1000)
    made.push(await create(acme, { type, name }))
  }
  await scan(acme, made[1], 2)
  await scan(acme, made[3], 5)
  const walk = async (sort: string) => {
    const seen: any[] = []
    for (const page of [1, 2, 3]) {
      const { body } = await acme.get(`/v1/objects?page_size=2&page=${page}${sort}`)
      expect(body.total).toBe(5)
      seen.push(...body.data)
    }
    return seen.map(({ id }) => made.findIndex((object) => object.id === id))
  }
  expect(await walk('')).toEqual([4, 3, 2, 1, 0])
  expect(await walk('&sort=recent')).toEqual([4, 3, 2, 1, 0])
  expect(await walk('&sort=name')).toEqual([3, 4, 2, 0, 1])
  expect(await walk('&sort=type')).toEqual([3, 2, 1, 4, 0])
  expect(await walk('&sort=scans')).toEqual([3, 1, 4, 2, 0])
  const { body: scanned } = await acme.get(`/v1/objects/${made[3].id}`)
  expect(scanned).toEqual({ ...made[3], total_scans: 5, last_scanned_at: expect.any(String) })
  expect((await acme.get(`/v1/objects/${made[3].id}/scans`)).body.data).toHaveLength(5)
})

test('filters return and count only matching objects, alone and combined', async () => {
  const acme = await harness.createTenant()
  await create(acme, { type: 'chair', external_id: 'A-1', name: 'Größe 5%' })
  await create(acme, { type: 'chair', external_id: 'a-1', is_active: false })
  await create(acme, { type: 'table', name: 'a-1 beside the door', is_active: false })
  const found = async (query: string) => {
    const { body } = await acme.get(`/v1/objects?${query}`)
    expect(body.total).toBe(body.data.length)
    return body.data.map(({ external_id, name }: any) => external_id ?? name)
  }
  expect(await found('type=chair')).toEqual(['a-1', 'A-1'])
  expect(await found('type=Chair')).toEqual([])
  expect(await found('external_id=A-1')).toEqual(['A-1'])
  expect(await found('is_active=true')).toEqual(['A-1'])
  expect(await found('is_active=false')).toEqual(['a-1 beside the door', 'a-1'])
  expect(await found('search=a-1')).toEqual(['a-1 beside the door', 'a-1', 'A-1'])
  expect(await found(`search=${encodeURIComponent('GRÖSSE 5%')}`)).toEqual(['A-1'])
  expect(await found('search=')).toHaveLength(3)
  for (const sort of ['recent', 'name', 'type', 'scans']) {
    expect(await found(`sort=${sort}&type=chair&is_active=false&search=A&external_id=a-1`)).toEqual(['a-1'])
  }
  for (const query of ['is_active=1', 'is_active=', 'is_active=TRUE', 'type=a_b', 'external_id=', 'sort=oldest']) {
    const { status, body } = await acme.get(`/v1/objects?${query}`)
    expect({ status, error: body.error }, query).toEqual({ status: 400, error: 'invalid_query' })
  }
})

async function scan({ orgId }: Tenant, { id }: { id: string }, times: number): Promise<void> {
  const now = timestamp(harness.nowMs())
  const scans = Array.from({ length: times }, () =>
    toRecordedScan(orgId, { target_kind: 'object', target_id: id, scanned_at: now }),
  )
  await storeScans(harness.service.database, scans, now)
}
