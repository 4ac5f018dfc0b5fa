/** Deliveries never reach a private address, for any stored URL and any DNS answer. */
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { timestamp } from '../../../platform/clock/index.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import { hostileUrls } from '../../../platform/outbound/testing/hostile-urls.ts'
import { type Sink, startSink } from '../../../platform/outbound/testing/sink.ts'
import { eventually } from '../../../testing/eventually.ts'
import { Harness } from '../../../testing/harness.ts'
import { type DnsServer, startDnsServer } from '../../../testing/world/dns-server.ts'

/** Public, but never connected to, because it always comes together with a private address. */
const PUBLIC = '93.184.215.15'
/** A host that the operator allows to be private, at addresses that DNS never returns alone. */
const LISTED = 'hooks.acme.internal'
/** Every DNS answer contains a private address, alone or next to a public one. */
const REBOUND = {
  A: [['127.0.0.1'], [PUBLIC, '127.0.0.1'], ['10.0.0.1', PUBLIC], ['0.0.0.0'], ['169.254.169.254']],
  AAAA: [['::1'], [], ['::ffff:127.0.0.1'], ['fd00::1']],
}
/** Every answer for IPv4 comes together with every one for IPv6, several times. */
const ROUNDS = 100

const harness = new Harness()
let sink: Sink
let dns: DnsServer
let dnsQueries = 0

beforeAll(async () => {
  sink = await startSink()
  dns = await startDnsServer((_name, type) => REBOUND[type][dnsQueries++ % REBOUND[type].length])
  const outbound = { ports: [443, sink.port], devAllow: [], dnsServers: [dns.address] }
  const webhookPrivateHosts = [{ name: LISTED, ranges: ['10.0.0.2', 'fd00::/120'] }]
  await harness.start({ config: { outbound, webhookPrivateHosts } })
})
afterAll(async () => {
  await harness.stop()
  await dns.close()
  await sink.close()
})

/** Inserts endpoints with URLs that the API would refuse, each with this many deliveries. */
async function insertEndpoints(orgId: OrgId, urls: readonly string[], deliveries: number): Promise<void> {
  const now = timestamp(harness.nowMs())
  await harness.service.database.write(async (tx) => {
    for (const url of urls) {
      const id = newId()
      const secret = harness.service.keyring.seal('whsec_')
      const state = { failing_since: null, failed_attempts: 0, is_active: true, disabled_reason: null }
      const secrets = { secret, old_secret: null, old_secret_expires_at: null }
      const texts = { url, description: null, events: JSON.stringify([]), grant_id: null }
      await tx
        .insertInto('webhook_endpoints')
        .values({ id, org_id: orgId, created_at: now, updated_at: now, ...state, ...secrets, ...texts })
        .execute()
      for (let index = 0; index < deliveries; index++) {
        await tx
          .insertInto('webhook_deliveries')
          .values({
            ...{ org_id: orgId, endpoint_id: id, id: newId(), event_id: null, type: 'webhook.test' },
            ...{ test_payload: JSON.stringify({}), status: 'pending', attempt_count: 0 },
            ...{ next_attempt_at: now, delivered_at: null, created_at: now },
          })
          .execute()
      }
    }
  })
}

const errorsOf = async (orgId: OrgId) => {
  const rows = await harness.service.database.read
    .selectFrom('webhook_attempts')
    .select('error')
    .where('org_id', '=', orgId)
    .execute()
  return rows.map(({ error }) => error)
}

/** Connects to the sink as well, to prove that it does count connections. */
async function expectUntouchedSink(): Promise<void> {
  const before = sink.connections()
  connect(sink.port, '127.0.0.1').on('error', () => {})
  await eventually(() => sink.connections() > before)
  expect(before).toBe(0)
}

test('hostile URLs and many rounds of DNS rebinding are refused, and nothing connects', async () => {
  // PostgreSQL cannot store NUL in text.
  const urls = hostileUrls(sink.port).filter((url) => !url.includes('\0'))
  expect(urls.length).toBeGreaterThanOrEqual(200)
  const [literal, rebinding] = [await harness.createTenant(), await harness.createTenant()]
  await insertEndpoints(literal.orgId, urls, 1)
  const names = Array.from(
    { length: 20 },
    (_, index) => `https://${index % 4 === 0 ? LISTED : `rebind-${index}.acme.example`}:${sink.port}/${index}`,
  )
  await insertEndpoints(rebinding.orgId, names, ROUNDS / names.length)
  await eventually(async () => (await errorsOf(literal.orgId)).length === urls.length)
  expect(new Set(await errorsOf(literal.orgId))).toEqual(new Set(['refused_url']))
  await eventually(async () => (await errorsOf(rebinding.orgId)).length === ROUNDS)
  expect(new Set(await errorsOf(rebinding.orgId))).toEqual(new Set(['refused_address']))
  expect(dnsQueries).toBeGreaterThanOrEqual(ROUNDS)
  await expectUntouchedSink()
})
