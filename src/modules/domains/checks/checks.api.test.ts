/** Domains are checked again by themselves: once each, in turns, and none is lost by a failure of DNS. */

import { afterAll, expect, test } from 'vitest'
import { createVerification } from '../../../main/domain-verification.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/clock/index.ts'
import { createDnsClient } from '../../../platform/dns/index.ts'
import { createRateLimiter } from '../../../platform/rate-limit/index.ts'
import { createLogger } from '../../../platform/telemetry/logging.ts'
import { createMetrics } from '../../../platform/telemetry/metrics.ts'
import { explain, firstIndex } from '../../../testing/engines/plans.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type Tenant, testConfig, useHarness } from '../../../testing/harness.ts'
import { DnsZone } from '../../../testing/world/dns-zone.ts'
import { organisationPeople } from '../../account/members/index.ts'
import { Mails } from '../../mail/mails/index.ts'
import { startDomainChecks } from './index.ts'

/** No worker runs until a test starts one. */
const harness = useHarness({ role: 'api', config: { publicUrl: 'https://go.waymark.example' } })
const zone = await DnsZone.start()
const dns = createDnsClient([zone.address])
afterAll(async () => {
  dns.close()
  await zone.close()
})

function startWorker() {
  const { database, keyring } = harness.service
  const limiter = createRateLimiter(database)
  const mails = new Mails({ keyring, limiter, people: organisationPeople, canSend: true })
  const config = { ...testConfig(harness), publicUrl: 'https://go.waymark.example' }
  const verification = createVerification(config, { dns, limiter, mails })
  const metrics = createMetrics()
  const stop = startDomainChecks({ database, verification, clock: harness.nowMs, log: createLogger('silent'), metrics })
  return { stop, metrics }
}

const dueRows = () =>
  harness.service.database.kysely
    .selectFrom('custom_domains')
    .select('id')
    .where('check_due_at', '<=', new Date(harness.nowMs()).toISOString())
    .execute()

/** Checks what is due, with this many workers. */
async function runChecks(count = 1): Promise<void> {
  const workers = Array.from({ length: count }, startWorker)
  await eventually(async () => (await dueRows()).length === 0)
  // A check in progress is completed.
  await Promise.all(workers.map(({ stop }) => stop()))
}

let names = 0
async function connect(tenant: Tenant) {
  const { body } = await tenant.post('/v1/custom-domains', { domain: `w-${++names}.acme.com` })
  return body
}
const get = async (tenant: Tenant, id: string) => (await tenant.get(`/v1/custom-domains/${id}`)).body
const mailsTo = async (email: string) =>
  (await harness.service.database.kysely.selectFrom('mails').select(['recipient', 'kind']).execute())
    .filter(({ recipient }) => recipient === email)
    .map(({ kind }) => kind)

test('a domain is verified by itself once its records are right, and one that was proven is checked daily', async () => {
  const acme = await harness.createTenant()
  const { id, domain, verification_records } = await connect(acme)
  await runChecks()
  expect((await get(acme, id)).last_checked_at, 'not before a minute').toBeNull()
  harness.advance(MINUTE_MS)
  await runChecks()
  expect(await get(acme, id)).toMatchObject({ verified: false, last_checked_at: expect.any(String) })
  zone.prove(verification_records)
  harness.advance(MINUTE_MS)
  const before = zone.queriesFor(`_waymark-challenge.${domain}`)
  await runChecks(2)
  expect(zone.queriesFor(`_waymark-challenge.${domain}`) - before, 'two workers check once').toBe(1)
  expect((await get(acme, id)).verified).toBe(true)
  expect((await acme.get('/v1/audit-log')).body.data[0]).toMatchObject({
    action: 'custom_domain.verified',
    actor: { type: 'system' },
  })
  harness.advance(DAY_MS - MINUTE_MS)
  await runChecks()
  expect(zone.queriesFor(`_waymark-challenge.${domain}`) - before).toBe(1)
  harness.advance(MINUTE_MS)
  await runChecks()
  expect(zone.queriesFor(`_waymark-challenge.${domain}`) - before).toBe(2)
})

test('wrong records warn after 72 hours and lose the domain after 7 days; a failure of DNS does neither', async () => {
  const acme = await harness.createTenant()
  const { email } = await harness.createPerson(acme, 'admin')
  const { id, domain, verification_records } = await connect(acme)
  zone.prove(verification_records)
  harness.advance(MINUTE_MS)
  await runChecks()
  const types = async () => (await acme.get('/v1/events')).body.data.map(({ type }: any) => type)

  zone.fail(domain, 'server_failure')
  for (let day = 0; day < 10; day++) {
    harness.advance(DAY_MS)
    await runChecks()
  }
  expect(await get(acme, id)).toMatchObject({ verified: true, check_error: null })
  expect(await mailsTo(email)).toEqual([])

  zone.fail(domain, undefined)
  zone.set(domain, 'CNAME', 'elsewhere.example')
  harness.advance(HOUR_MS)
  await runChecks()
  expect(await get(acme, id)).toMatchObject({ verified: true, check_error: expect.stringContaining('elsewhere') })
  for (const hours of [24, 24, 23]) {
    harness.advance(hours * HOUR_MS)
    await runChecks()
  }
  expect(await mailsTo(email)).toEqual([])
  harness.advance(HOUR_MS)
  await runChecks()
  expect(await mailsTo(email)).toEqual(['domain_failing'])
  expect((await get(acme, id)).check_error).toContain('no longer used from')
  for (const hours of [24, 24, 24, 23]) {
    harness.advance(hours * HOUR_MS)
    await runChecks()
  }
  expect((await get(acme, id)).verified).toBe(true)
  harness.advance(HOUR_MS + MINUTE_MS)
  await runChecks()
  expect((await get(acme, id)).verified).toBe(false)
  expect(await mailsTo(email)).toEqual(['domain_failing', 'domain_lost'])
  expect(await types()).toEqual(['custom_domain.verification_lost', 'custom_domain.verified', 'member.joined'])

  zone.prove(verification_records)
  harness.advance(MINUTE_MS)
  await runChecks()
  expect((await get(acme, id)).verified, 'right again').toBe(true)
})

test('an organisation with many domains does not delay another, and the due ones are found by an index', async () => {
  const [busy, other] = [await harness.createTenant(), await harness.createTenant()]
  const many: string[] = []
  for (let n = 0; n < 30; n++) many.push((await connect(busy)).domain)
  const { domain } = await connect(other)
  harness.advance(MINUTE_MS)
  const statements = await harness.statementsOf(() => runChecks())
  const order = zone.asked.filter((name) => [...many, domain].includes(name))
  expect(new Set(order).size).toBe(31)
  expect(new Set(order.slice(0, order.indexOf(domain))).size).toBeLessThan(6)
  const search = statements.find(({ sql }) => sql.includes('with "due" as'))
  expect(firstIndex(await explain(harness.service.database, search!))).toBe('custom_domains_due_idx')
})

test('a domain whose worker died is checked again after its lease', async () => {
  const acme = await harness.createTenant()
  const { id } = await connect(acme)
  harness.advance(MINUTE_MS)
  const { database } = harness.service
  const lease = new Date(harness.nowMs() + 2 * MINUTE_MS).toISOString().replace('Z', '+00:00')
  await database.kysely
    .updateTable('custom_domains')
    .set({ check_due_at: lease })
    .where('org_id', '=', acme.orgId)
    .execute()
  await runChecks()
  expect((await get(acme, id)).last_checked_at).toBeNull()
  harness.advance(2 * MINUTE_MS)
  const { metrics, stop } = startWorker()
  await eventually(async () => (await get(acme, id)).last_checked_at !== null)
  await stop()
  expect(await metrics.show()).toContain('waymark_domain_checks_total{outcome="wrong"} 1')
})
