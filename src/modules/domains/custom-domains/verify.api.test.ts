/** A domain is used by the organisation that proves in DNS that it is theirs, and by nobody else. */
import { afterAll, expect, test } from 'vitest'
import { ConstraintViolation } from '../../../platform/db/failures.ts'
import { scan } from '../../../testing/data/scans.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type Tenant, useMailingHarness } from '../../../testing/harness.ts'
import { DnsZone } from '../../../testing/world/dns-zone.ts'
import { findPrimaryDomains } from './index.ts'

const zone = await DnsZone.start()
afterAll(() => zone.close())
const { harness, smtp } = await useMailingHarness({
  config: {
    appUrl: 'https://app.waymark.example',
    publicUrl: 'https://go.waymark.example',
    acceptsAnyHost: false,
    outbound: { ports: [443], devAllow: [], dnsServers: [zone.address] },
  },
})

let names = 0
const newName = () => `id-${++names}.acme.com`

async function connect(tenant: Tenant, domain = newName()) {
  const { status, body } = await tenant.post('/v1/custom-domains', { domain })
  expect(status).toBe(201)
  const { id, verification_records: records } = body
  const [txt] = records
  return {
    id: id as string,
    domain,
    records,
    txt: txt.value as string,
    verify: () => tenant.post(`/v1/custom-domains/${id}/verify`),
    get: async () => (await tenant.get(`/v1/custom-domains/${id}`)).body,
  }
}

const isServed = async (domain: string) =>
  (await scan(harness, `/internal/tls-ask?domain=${domain}`, { host: '127.0.0.1' })).status === 200
const eventsOf = async (tenant: Tenant) =>
  (await tenant.get('/v1/events')).body.data.filter(({ type }: any) => type.startsWith('custom_domain.'))
const typesOf = async (tenant: Tenant) => (await eventsOf(tenant)).map(({ type }: any) => type)

test('is pending until ownership and pointing are both right, and says what was found', async () => {
  const acme = await harness.createTenant()
  const { domain, records, txt, verify, get } = await connect(acme)
  const first = await verify()
  expect(first.status).toBe(200)
  expect(first.body).toMatchObject({
    object: 'custom_domain_verification',
    status: 'pending',
    checks: [
      { type: 'TXT', domain: `_waymark-challenge.${domain}`, expected: txt, found: [], ok: false },
      { type: 'CNAME', domain, expected: 'go.waymark.example', found: [], ok: false },
    ],
  })
  expect(first.body.domain).toEqual(await get())
  expect(first.body.domain.check_error).toBe(
    `There is no TXT record at _waymark-challenge.${domain}. ${domain} has no address.`,
  )
  expect(first.body.domain.last_checked_at).not.toBeNull()

  zone.set(`_waymark-challenge.${domain}`, 'TXT', 'something else', txt)
  zone.set(domain, 'CNAME', 'elsewhere.example')
  const second = (await verify()).body
  expect(second).toMatchObject({ status: 'pending', domain: { verified: false } })
  expect(second.checks.map(({ ok, found }: any) => [ok, found])).toEqual([
    [true, ['something else', txt]],
    [false, ['elsewhere.example']],
  ])
  expect(await isServed(domain)).toBe(false)

  zone.prove(records)
  const third = (await verify()).body
  expect(third).toMatchObject({ status: 'verified', domain: { verified: true, check_error: null } })
  expect(third.domain.verification_records).toEqual([])
  expect(third.domain.verified_at).toBe(third.domain.last_checked_at)
  expect(await isServed(domain)).toBe(true)
  expect((await verify()).body.status).toBe('verified')
  expect(await typesOf(acme)).toEqual(['custom_domain.verified'])
  expect((await eventsOf(acme))[0].data).toMatchObject({ domain, verified: true, verification_records: [] })
})

test('a failure of DNS changes nothing', async () => {
  const acme = await harness.createTenant()
  const { domain, records, verify } = await connect(acme)
  zone.prove(records)
  zone.fail(`_waymark-challenge.${domain}`, 'server_failure')
  const failed = (await verify()).body
  expect(failed).toMatchObject({ status: 'error', domain: { verified: false, check_error: null } })
  expect(failed.error).toContain(domain)
  zone.fail(`_waymark-challenge.${domain}`, undefined)
  expect((await verify()).body).not.toHaveProperty('error')
  zone.fail(domain, 'server_failure')
  expect((await verify()).body).toMatchObject({ status: 'error', domain: { verified: true, check_error: null } })
  expect(await isServed(domain)).toBe(true)
})

test('a verified domain whose records are wrong stays verified for now', async () => {
  const acme = await harness.createTenant()
  const { domain, records, verify } = await connect(acme)
  zone.prove(records)
  await verify()
  zone.set(domain, 'CNAME', 'elsewhere.example')
  expect((await verify()).body).toMatchObject({
    status: 'verified',
    domain: { verified: true, check_error: `${domain} points to elsewhere.example instead of go.waymark.example.` },
    checks: [{ ok: true }, { ok: false, found: ['elsewhere.example'] }],
  })
  zone.prove(records)
  expect((await verify()).body.domain.check_error).toBeNull()
})

test('another organisation takes the domain over with its own proof only, and for good', async () => {
  const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
  const [owner, admin, agent] = [
    await harness.createPerson(acme, 'owner'),
    await harness.createPerson(acme, 'admin'),
    await harness.createPerson(acme, 'agent'),
  ]
  const mine = await connect(acme)
  zone.prove(mine.records)
  await mine.verify()
  const { domain } = mine
  const theirs = await connect(other, domain)
  expect((await theirs.verify()).body.status).toBe('pending')
  expect((await mine.get()).verified).toBe(true)

  zone.set(`_waymark-challenge.${domain}`, 'TXT', mine.txt, theirs.txt)
  expect((await theirs.verify()).body.status).toBe('verified')
  const lost = await mine.get()
  expect(lost).toMatchObject({
    verified: false,
    verified_at: null,
    check_error: 'Another organisation has proven that the domain belongs to it.',
  })
  expect(lost.verification_records[0].value).not.toBe(mine.txt)
  expect(await isServed(domain)).toBe(true)
  expect(await typesOf(acme)).toEqual(['custom_domain.verification_lost', 'custom_domain.verified'])
  expect(await typesOf(other)).toEqual(['custom_domain.verified'])

  // The old record still exists, and must not take the domain back.
  expect((await mine.verify()).body.status).toBe('pending')
  expect((await theirs.get()).verified).toBe(true)

  const log = (await acme.get('/v1/audit-log')).body.data
  expect(log[0]).toMatchObject({ action: 'custom_domain.verification_lost', actor: { type: 'system' } })
  expect(JSON.stringify((await other.get('/v1/audit-log')).body)).not.toContain(mine.id)
  await eventually(() => smtp.to(owner.email).length === 1 && smtp.to(admin.email).length === 1)
  expect(smtp.to(owner.email)[0]?.text).toContain(domain)
  expect(smtp.to(agent.email)).toEqual([])

  zone.set(`_waymark-challenge.${domain}`, 'TXT', lost.verification_records[0].value)
  expect((await mine.verify()).body.status).toBe('verified')
  expect((await theirs.get()).verified).toBe(false)
})

test('of several organisations that prove a domain at once, exactly one has it', async () => {
  const tenants = await Promise.all(Array.from({ length: 4 }, () => harness.createTenant()))
  const domain = newName()
  const connected = []
  for (const tenant of tenants) connected.push(await connect(tenant, domain))
  zone.set(domain, 'CNAME', 'go.waymark.example')
  zone.set(`_waymark-challenge.${domain}`, 'TXT', ...connected.map(({ txt }) => txt))
  const replies = await Promise.all(connected.map(({ verify }) => verify()))
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const states = await Promise.all(connected.map(({ get }) => get()))
  expect(states.filter(({ verified }) => verified)).toHaveLength(1)
})

test('the database itself keeps a name with one organisation', async () => {
  const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
  const [mine, theirs] = [await connect(acme, 'only-one.acme.com'), await connect(other, 'only-one.acme.com')]
  await harness.verifyDomain(acme, mine.id)
  await expect(harness.verifyDomain(other, theirs.id)).rejects.toThrow(ConstraintViolation)
})

test('checks of a domain are limited', async () => {
  const { verify } = await connect(await harness.createTenant())
  for (let n = 0; n < 6; n++) expect((await verify()).status).toBe(200)
  const refused = await verify()
  expect(refused).toMatchObject({ status: 429, body: { error: 'rate_limited' } })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('new links begin with the domain that has been verified for the longest time', async () => {
  const [acme, other, none] = [await harness.createTenant(), await harness.createTenant(), await harness.createTenant()]
  await connect(none)
  const [first, second] = [await connect(acme), await connect(acme)]
  await harness.verifyDomain(acme, second.id)
  harness.advance(1000)
  await harness.verifyDomain(acme, first.id)
  const theirs = await connect(other)
  await harness.verifyDomain(other, theirs.id)
  const { read } = harness.service.database
  expect(await findPrimaryDomains(read, [acme.orgId, other.orgId, none.orgId])).toEqual(
    new Map([
      [acme.orgId, second.domain],
      [other.orgId, theirs.domain],
    ]),
  )
  expect(await findPrimaryDomains(read, [])).toEqual(new Map())
})
