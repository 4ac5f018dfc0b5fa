import { expect, test } from 'vitest'
import { useHarness } from '../../../testing/harness.ts'

const harness = useHarness({
  config: {
    publicUrl: 'https://go.waymark.example',
    domainTargets: { a: ['192.0.2.10', '192.0.2.11'], aaaa: ['2001:db8::10'], cname: undefined },
  },
})

test('connecting a subdomain returns the DNS records to create', async () => {
  const acme = await harness.createTenant()
  const { status, body } = await acme.post('/v1/custom-domains', { domain: 'Shop.Acme.com' })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    object: 'custom_domain',
    domain: 'shop.acme.com',
    verified: false,
    verified_at: null,
    last_checked_at: null,
    check_error: null,
  })
  expect(body.verification_records).toEqual([
    {
      type: 'TXT',
      domain: '_waymark-challenge.shop.acme.com',
      value: expect.stringMatching(/^waymark-verify=[0-9a-f]{40}$/),
      reason: 'ownership',
    },
    { type: 'CNAME', domain: 'shop.acme.com', value: 'go.waymark.example', reason: 'pointing' },
  ])
})

test('an apex domain gets address records, and www before it is removed', async () => {
  const acme = await harness.createTenant()
  const { body } = await acme.post('/v1/custom-domains', { domain: 'www.acme.com' })
  expect(body.domain).toBe('acme.com')
  expect(body.verification_records.slice(1)).toEqual([
    { type: 'A', domain: 'acme.com', value: '192.0.2.10', reason: 'pointing' },
    { type: 'A', domain: 'acme.com', value: '192.0.2.11', reason: 'pointing' },
    { type: 'AAAA', domain: 'acme.com', value: '2001:db8::10', reason: 'pointing' },
  ])
})

test('the same domain in another spelling is a conflict with the value that was sent', async () => {
  const acme = await harness.createTenant()
  expect((await acme.post('/v1/custom-domains', { domain: 'acme.com' })).status).toBe(201)
  const { status, body } = await acme.post('/v1/custom-domains', { domain: 'WWW.acme.com.' })
  expect(status).toBe(409)
  expect(body).toMatchObject({ error: 'conflict', details: { field: 'domain', value: 'WWW.acme.com.' } })
})

test('another organisation can connect the same domain with a different token', async () => {
  const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
  const { body: first } = await acme.post('/v1/custom-domains', { domain: 'acme.com' })
  const { body: second } = await other.post('/v1/custom-domains', { domain: 'acme.com' })
  expect(second.verification_records[0].value).not.toBe(first.verification_records[0].value)
})

test('rejects a domain that no customer can own and stores nothing', async () => {
  const acme = await harness.createTenant()
  for (const domain of ['co.uk', '10.0.0.1', '*.acme.com', 'go.waymark.example', 'ab', 'x'.repeat(254), 'a b.com']) {
    const { status, body } = await acme.post('/v1/custom-domains', { domain })
    expect(status, domain).toBe(400)
    expect(body).toMatchObject({
      error: 'invalid_payload',
      details: { fieldErrors: { domain: [expect.any(String)] } },
    })
  }
  expect((await acme.get('/v1/custom-domains')).body.total).toBe(0)
})
