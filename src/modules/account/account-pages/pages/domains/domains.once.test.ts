import { afterAll, expect, test } from 'vitest'
import { DAY_MS } from '../../../../../platform/clock/index.ts'
import { type Tenant, useHarness } from '../../../../../testing/harness.ts'
import { Visitor } from '../../../../../testing/visitor.ts'
import { DnsZone } from '../../../../../testing/world/dns-zone.ts'

const zone = await DnsZone.start()
afterAll(() => zone.close())
// There is no background work: only "Check now" checks.
const harness = useHarness({
  role: 'api',
  config: {
    domainTargets: { a: ['192.0.2.10'], aaaa: [], cname: 'go.waymark.example' },
    outbound: { ports: [443], devAllow: [], dnsServers: [zone.address] },
  },
})

let names = 0
const newName = () => `id-${++names}.acme.com`

function signedIn({ token }: { token: string }): Visitor {
  const visitor = new Visitor(harness.baseUrl)
  visitor.cookies.set('waymark_session', token)
  return visitor
}

/** A manager on the page of a new domain. */
async function openDomain(acme: Tenant, domain = newName()) {
  const { id, verification_records: records } = (await acme.post('/v1/custom-domains', { domain })).body
  const person = await harness.createPerson(acme, 'manager')
  const path = `/account/domain?id=${id}`
  const open = async () => {
    const visitor = signedIn(person)
    return { visitor, page: (await visitor.open(path)).text }
  }
  const check = async () => (await (await open()).visitor.send('/account/domain', { id })).text
  return { id, domain, records, open, check }
}

test('a manager connects a domain, also as a pasted address, and gets the records to create', async () => {
  const acme = await harness.createTenant()
  const manager = signedIn(await harness.createPerson(acme, 'manager'))
  const domain = newName()
  const { status, location } = await manager.fillIn('/account/domains', { domain: ` https://${domain}/shop?a=1 ` })
  expect(status).toBe(303)
  const [connected] = (await acme.get('/v1/custom-domains')).body.data
  expect(connected.domain).toBe(domain)
  const page = (await manager.open(location ?? '')).text
  expect(page).toContain('waiting for DNS records')
  for (const { domain: name, value } of connected.verification_records) {
    expect(page).toContain(`>${name}</code>`)
    expect(page).toContain(`>${value}</code>`)
  }
  expect((await manager.open('/account/domains')).text).toContain(`<strong>${domain}</strong>`)
})

test('says why a domain is refused, and shows again what was typed', async () => {
  const acme = await harness.createTenant()
  const { domain } = await openDomain(acme)
  const manager = signedIn(await harness.createPerson(acme, 'manager'))
  const again = await manager.fillIn('/account/domains', { domain })
  expect(again.status).toBe(400)
  expect(again.text).toContain('connected already')
  for (const typed of ['*.acme.com', '192.0.2.1', '<b>"bold"</b>', '🛠️', 'x'.repeat(300), '']) {
    const refused = await manager.fillIn('/account/domains', { domain: typed })
    expect(refused.status, typed).toBe(400)
    expect(refused.text, typed).toContain('cannot be connected')
    expect(refused.text, typed).toContain(
      `value="${typed.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')}"`,
    )
  }
  expect((await acme.get('/v1/custom-domains')).body.total).toBe(1)
})

test('an agent only sees domains; another organisation does not see them', async () => {
  const acme = await harness.createTenant()
  const { id, domain } = await openDomain(acme)
  const agent = signedIn(await harness.createPerson(acme, 'agent'))
  const list = (await agent.open('/account/domains')).text
  expect(list).toContain(domain)
  expect(list).not.toContain('Connect a domain')
  const page = (await agent.open(`/account/domain?id=${id}`)).text
  expect(page).toContain('_waymark-challenge')
  expect(page).not.toMatch(/Check now<|Disconnect/)
  expect((await agent.send('/account/domains', { domain: newName() })).status).toBe(403)
  expect((await agent.send('/account/domain', { id })).status).toBe(403)
  expect((await agent.send('/account/domain/disconnect', { id })).status).toBe(403)

  const stranger = signedIn(await harness.createPerson(await harness.createTenant(), 'owner'))
  expect((await stranger.open('/account/domains')).text).not.toContain(domain)
  expect((await stranger.open(`/account/domain?id=${id}`)).status).toBe(404)
  expect((await stranger.send('/account/domain', { id })).status).toBe(404)
  await stranger.send('/account/domain/disconnect', { id })
  expect((await acme.get(`/v1/custom-domains/${id}`)).status).toBe(200)
})

test('"Check now" shows what was found beside what was expected, until the domain is verified', async () => {
  const { domain, records, check, open } = await openDomain(await harness.createTenant())
  const missing = await check()
  expect(missing).toContain('Some DNS records are not correct yet')
  expect(missing.match(/not correct yet</g)).toHaveLength(2)
  expect(missing).toContain('<dd>nothing</dd>')

  zone.prove(records.slice(0, 1))
  zone.set(domain, 'CNAME', 'shop.elsewhere.example')
  const partly = await check()
  expect(partly.match(/✓ correct</g)).toHaveLength(1)
  expect(partly).toContain('>go.waymark.example</code>')
  expect(partly).toContain('>shop.elsewhere.example</code>')

  zone.prove(records)
  const right = await check()
  expect(right).toContain('All DNS records are correct.')
  expect(right).toContain('<span class="state">verified</span>')
  const { page } = await open()
  expect(page).toContain('You do not need to do anything.')
  expect(page).not.toContain('class="copyable"')
})

test('what others store in DNS is escaped', async () => {
  const { domain, check } = await openDomain(await harness.createTenant())
  zone.set(`_waymark-challenge.${domain}`, 'TXT', '<script>alert(1)</script>')
  expect(await check()).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
})

test('a DNS failure changes nothing, and does not look like a wrong record', async () => {
  const { domain, check } = await openDomain(await harness.createTenant())
  zone.fail(domain, 'server_failure')
  const failed = await check()
  expect(failed).toContain('The DNS did not answer')
  expect(failed).not.toContain('not correct yet')
})

test('a verified domain with wrong records says how long is left, and later that it is lost', async () => {
  const { domain, records, check, open } = await openDomain(await harness.createTenant())
  zone.prove(records)
  await check()
  zone.set(domain, 'CNAME')
  await check()
  expect((await open()).page).toContain('Time left: 6 days')
  harness.advance(3.5 * DAY_MS)
  expect(await check()).toContain('<span class="state bad">DNS records wrong</span>')
  expect((await open()).page).toContain('Time left: 3 days')
  harness.advance(2 * DAY_MS)
  expect((await open()).page).toContain('Time left: 35 hours')
  harness.advance(3 * DAY_MS)
  expect(await check()).toContain('<span class="state bad">no longer verified</span>')
  expect((await open()).page).toContain('_waymark-challenge')

  zone.prove(records)
  await check()
  expect((await open()).page).toContain('<span class="state">verified</span>')
})

test('a name in another script is shown as people write it, with its name in DNS', async () => {
  const { open } = await openDomain(await harness.createTenant(), 'id.bücher.example')
  const { page } = await open()
  expect(page).toContain('<h1>id.bücher.example</h1>')
  expect(page).toContain('>id.xn--bcher-kva.example</code>')
  expect(page).toContain('adds .xn--bcher-kva.example to each name')
})

test('disconnecting removes the domain', async () => {
  const acme = await harness.createTenant()
  const { id, open } = await openDomain(acme)
  const { visitor } = await open()
  const sent = await visitor.send('/account/domain/disconnect', { id })
  expect(sent.location).toBe('/account/domains')
  expect((await acme.get('/v1/custom-domains')).body.total).toBe(0)
  expect((await visitor.open(`/account/domain?id=${id}`)).status).toBe(404)
})

test('a domain is kept as long as printed codes work on it alone', async () => {
  const acme = await harness.createTenant()
  const { id, open } = await openDomain(acme)
  await harness.verifyDomain(acme, id)
  await acme.post('/v1/qr-codes', { public_slug: 'sale', domain_id: id })
  const { visitor } = await open()
  const { text } = await visitor.send('/account/domain/disconnect', { id })
  expect(text).toContain('Printed QR codes work on this domain alone')
  expect((await acme.get('/v1/custom-domains')).body.total).toBe(1)
})

test('a manager gives a page an address on the domain, makes it the start page and removes it', async () => {
  const acme = await harness.createTenant()
  const { id, domain, open } = await openDomain(acme)
  const page = (await acme.post('/v1/pages', { title: 'Care <b>', status: 'active' })).body
  const list = async () => (await acme.get(`/v1/custom-domain-routes?domain_id=${id}`)).body.data
  const add = async (slug: string, target = `page:${page.id}`) => {
    const { visitor } = await open()
    return visitor.send('/account/domain/routes', { id, slug, target })
  }
  expect((await add(' /care/ ')).location).toBe(`/account/domain?id=${id}&saved`)
  expect(await list()).toMatchObject([{ slug: 'care', type: 'page', page_id: page.id, is_default: false }])
  const shown = (await open()).page
  expect(shown).toContain(`<strong>${domain}/care</strong>`)
  expect(shown).toContain('Pages · Care &lt;b&gt;')

  for (const [slug, target, problem] of [
    ['care', undefined, 'in use already'],
    ['Über uns', undefined, 'cannot be used'],
    ['v1', undefined, 'cannot be used'],
    ['news', 'nothing:1', 'cannot be used'],
  ] as const) {
    const refused = await add(slug, target)
    expect(refused.status, slug).toBe(400)
    expect(refused.text, slug).toContain(problem)
    expect(refused.text, slug).toContain(`value="${slug}"`)
  }

  const [{ id: route_id }] = await list()
  const change = async (fields: Record<string, string>) => {
    const { visitor } = await open()
    return visitor.send('/account/domain/route', { id, route_id, ...fields })
  }
  await change({ start: 'make' })
  expect((await open()).page).toContain('<span class="state">start page</span>')
  await change({ start: 'end' })
  expect((await open()).page).toContain('Use as start page')
  await change({ remove: '1' })
  expect(await list()).toEqual([])

  const agent = signedIn(await harness.createPerson(acme, 'agent'))
  expect((await agent.open(`/account/domain?id=${id}`)).text).not.toContain('Add an address')
  expect((await agent.send('/account/domain/routes', { id, slug: 'x', target: `page:${page.id}` })).status).toBe(403)
})

test('unknown addresses lead to the address that a manager enters', async () => {
  const acme = await harness.createTenant()
  const { id, open } = await openDomain(acme)
  const save = async (fallback_url: string) => {
    const { visitor } = await open()
    return visitor.send('/account/domain/fallback', { id, fallback_url })
  }
  const fallback = async () => (await acme.get(`/v1/custom-domains/${id}`)).body.fallback_url
  expect((await save('https://www.acme.com/help')).status).toBe(303)
  expect(await fallback()).toBe('https://www.acme.com/help')
  const refused = await save('javascript:alert(1)')
  expect(refused.status).toBe(400)
  expect(refused.text).toContain('Enter a full web address')
  expect((await save(' ')).status).toBe(303)
  expect(await fallback()).toBeNull()
})
