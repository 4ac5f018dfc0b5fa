/** A verified custom domain shows the pages of its organisation, and no others. */
import { expect, test } from 'vitest'
import { scan } from '../../../testing/data/scans.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import {
  createPage,
  FIELDS,
  hiddenIn,
  PHOTOS,
  submissionsOf,
  valuesOf,
  withoutReceipt,
} from '../../../testing/page-visitor.ts'

const OWN_HOST = 'go.waymark.example'
const harness = useHarness({
  config: { appUrl: 'https://app.waymark.example', publicUrl: `https://${OWN_HOST}`, acceptsAnyHost: false },
})

let domains = 0

async function connectDomain(tenant: Tenant) {
  const domain = `forms-${++domains}.acme.example`
  const { status, body } = await tenant.post('/v1/custom-domains', { domain })
  expect(status).toBe(201)
  return { domain, id: body.id as string, verify: () => harness.verifyDomain(tenant, body.id) }
}

/** Posts as a browser at this host does, unless the headers say something else. */
function post(host: string, path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  return scan(
    harness,
    path,
    {
      host,
      'sec-fetch-site': 'same-origin',
      origin: `https://${host}`,
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    { method: 'POST', body: new URLSearchParams(fields).toString() },
  )
}

async function start() {
  const acme = await harness.createTenant()
  const domain = await connectDomain(acme)
  const page = await createPage(acme, [...FIELDS, PHOTOS])
  return { acme, domain, page, path: `/p/${page.public_slug}` }
}

const open = (host: string, path: string) => scan(harness, path, { host })

test('a page and its form work on a custom domain once it is verified', async () => {
  const { acme, domain, page, path } = await start()
  const host = domain.domain
  expect((await open(host, path)).status).toBe(404)
  expect((await post(host, path, { what: 'Too early' })).status).toBe(404)
  await domain.verify()
  const shown = await open(`${host.toUpperCase()}:443`, path)
  expect(shown.status).toBe(200)
  expect(shown.text).toContain(`<form method="post" action="${path}?lang=en"`)
  expect(shown.headers.get('content-security-policy')).toContain("form-action 'self'")
  const cookie = shown.headers.get('set-cookie')
  expect(cookie).toContain(`Path=${path};`)
  expect(cookie).not.toContain('Domain=')
  const fields = { ...hiddenIn(shown.text), what: 'It leaks' }
  harness.advance(5000)
  const sent = await post(host, path, fields, { cookie: cookie?.split(';')[0] ?? '' })
  // Relative, so the visitor stays on the domain.
  expect([sent.status, withoutReceipt(sent.headers.get('location'))]).toEqual([303, `${path}/sent?lang=en`])
  expect((await open(host, `${path}/sent?lang=en`)).status).toBe(200)
  const receipt = `/p/receipt/${sent.headers.get('location')?.slice(-43)}`
  for (const at of [host, OWN_HOST]) expect((await open(at, receipt)).status).toBe(200)
  const other = await connectDomain(await harness.createTenant())
  await other.verify()
  expect((await open(other.domain, receipt)).status).toBe(404)
  const received = await submissionsOf(harness, acme, page)
  expect(received).toMatchObject([{ status: 'new', spam_reason: null }])
  expect(valuesOf(received[0]!)).toMatchObject({ 'What happened?': 'It leaks' })
  expect((await acme.delete(`/v1/custom-domains/${domain.id}`)).status).toBe(204)
  expect((await open(host, path)).status).toBe(404)
  expect((await open(OWN_HOST, path)).status).toBe(200)
})

test('only a page at the same host may post, not one at our own host or at a neighbour of the domain', async () => {
  const { acme, domain, page, path } = await start()
  await domain.verify()
  const host = domain.domain
  const from = (headers: Record<string, string>) => post(host, path, { what: 'It leaks' }, headers)
  for (const site of ['cross-site', 'same-site', 'none']) {
    expect([site, (await from({ 'sec-fetch-site': site })).status]).toEqual([site, 403])
  }
  // Browsers without Sec-Fetch-Site.
  const fromOrigin = (origin: string) =>
    scan(
      harness,
      path,
      { host, origin, 'content-type': 'application/x-www-form-urlencoded' },
      {
        method: 'POST',
        body: 'what=It+leaks',
      },
    )
  for (const origin of [`https://${OWN_HOST}`, `https://x.${host}`, `https://${host}.evil.example`, 'null', '']) {
    expect([origin, (await fromOrigin(origin)).status]).toEqual([origin, 403])
  }
  expect(await submissionsOf(harness, acme, page)).toEqual([])
  expect((await fromOrigin(`https://${host}`)).status).toBe(303)
  expect(await submissionsOf(harness, acme, page)).toHaveLength(1)
})

test('a host of another organisation, or of nobody, neither shows the page nor takes its form', async () => {
  const { acme, domain, page, path } = await start()
  await domain.verify()
  const other = await harness.createTenant()
  const foreign = await connectDomain(other)
  await foreign.verify()
  const gone = await createPage(acme)
  await acme.delete(`/v1/pages/${gone.id}`)
  for (const host of [foreign.domain, 'nobody.example', '127.0.0.1']) {
    const unknown = await open(host, '/p/k7Qm2XvB9sTe')
    expect(unknown.status).toBe(404)
    for (const at of [path, `${path}/`, `${path}/sent`]) {
      const shown = await open(host, at)
      expect([host, at, shown.status, shown.text]).toEqual([host, at, 404, unknown.text])
    }
    expect((await post(host, path, { what: 'It leaks' })).status).toBe(404)
    expect((await post(host, `${path}/files?field=photos`, { x: '' })).status).toBe(404)
  }
  expect((await open('nobody.example', `/p/${gone.public_slug}`)).status).toBe(404)
  expect(await submissionsOf(harness, acme, page)).toEqual([])
  expect((await acme.get(`/v1/pages/${page.id}`)).body.view_count).toBe(0)
  expect((await open(domain.domain, path)).status).toBe(200)
})
