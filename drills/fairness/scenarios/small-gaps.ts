import { freePort } from '../../../src/testing/engines/postgres.ts'
import { startDnsServer } from '../../../src/testing/world/dns-server.ts'
import { both, type Finding, type Scenario } from '../finding.ts'
import { onStage, type Stage, type Tenant } from '../stage.ts'

const PRIVATE_HOSTS = [
  'localhost.localdomain',
  'hooks.lan',
  'hooks.home',
  'hooks.corp',
  'hooks.test',
  'hooks.invalid',
  'hooks.onion',
  'hooks.default.svc',
]

/** Small weaknesses: what may be stored, what an error reveals, headers, and parameters of a redirect. */
export const smallGaps: Scenario = {
  number: 14,
  title: 'private webhook hosts, telling errors, headers, parameters',
  run: async (engine) => {
    const dns = await startDnsServer((name) => (name === 'private.acme.com' ? ['10.0.0.1'] : undefined))
    const PORT = String(await freePort())
    const settings = { PORT, DNS_SERVERS: dns.address, APP_URL: `https://localhost:${PORT}` }
    try {
      return await onStage(engine, { settings }, async (stage) => {
        const tenant = await stage.createTenant('observer')
        return both(
          await webhookHosts(tenant),
          await imageErrors(tenant),
          await headers(stage, tenant),
          await parameters(stage, tenant),
        )
      })
    } finally {
      await dns.close()
    }
  },
}

async function webhookHosts({ client }: Tenant): Promise<Finding> {
  let accepted = 0
  for (const host of PRIVATE_HOSTS) {
    const { status } = await client.post('/v1/webhooks', { url: `https://${host}/`, events: ['qr_code.created'] })
    if (status === 201) accepted++
  }
  return { holds: accepted === 0, figures: `${accepted} of ${PRIVATE_HOSTS.length} hosts accepted` }
}

async function imageErrors({ client }: Tenant): Promise<Finding> {
  const { body } = await client.post('/v1/products', { name: 'Chair', gtin: '96385074' })
  const [hidden, missing] = await Promise.all(
    ['private', 'missing'].map(async (name) => {
      const reply = await client.post(`/v1/products/${body.id}/images`, { url: `https://${name}.acme.com/a.png` })
      return JSON.stringify({ ...reply.body, request_id: '', status: reply.status })
    }),
  )
  return { holds: hidden === missing, figures: hidden === missing ? 'one image error' : 'image errors differ' }
}

async function headers({ port }: Stage, { client }: Tenant): Promise<Finding> {
  const api = (await client.get('/v1/me')).headers
  const notice = (await fetch(`http://localhost:${port}/nothing-here`)).headers
  const policy = notice.get('content-security-policy') ?? ''
  const missing = [
    api.has('strict-transport-security') || 'HSTS',
    (api.has('x-content-type-options') && notice.has('x-content-type-options')) || 'nosniff',
    notice.has('referrer-policy') || 'Referrer-Policy',
    ...['frame-ancestors', 'base-uri', 'form-action'].map((name) => policy.includes(name) || name),
  ].filter((name) => name !== true)
  return { holds: missing.length === 0, figures: `${missing.length} headers missing` }
}

async function parameters({ port }: Stage, { client }: Tenant): Promise<Finding> {
  const code = await client.post('/v1/qr-codes', { destination: { url: 'https://acme.com/?plan=basic' } })
  const scanned = await fetch(`http://localhost:${port}/${code.body.public_slug}?plan=free`, { redirect: 'manual' })
  const location = scanned.headers.get('location') ?? ''
  const isKept = location.includes('plan=basic') && !location.includes('plan=free')
  return { holds: isKept, figures: `parameter ${isKept ? 'kept' : 'replaced'}` }
}
