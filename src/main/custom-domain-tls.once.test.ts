/** A brand's own domain is served over TLS by Caddy, with the Caddyfile that we ship. */
import { request } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { PHONE } from '../testing/data/scans.ts'
import { useHarness } from '../testing/harness.ts'
import { killProcesses } from '../testing/process.ts'
import { Caddy, findCaddy, NO_CADDY } from '../testing/world/caddy.ts'
import { DnsZone } from '../testing/world/dns-zone.ts'

const APP_HOST = 'app.waymark.example'

const zone = await DnsZone.start()
afterAll(() => zone.close())
afterAll(killProcesses)
const harness = useHarness({
  config: {
    appUrl: `https://${APP_HOST}`,
    publicUrl: 'https://go.waymark.example',
    acceptsAnyHost: false,
    trustProxy: '127.0.0.1',
    outbound: { ports: [443], devAllow: [], dnsServers: [zone.address] },
  },
})

test('a domain gets a certificate once it is verified, and a Digital Link on it leads to the page in the visitor’s language', async ({
  skip,
}) => {
  const program = (await findCaddy()) ?? skip(NO_CADDY)
  const acme = await harness.createTenant()
  const { body: product } = await acme.post('/v1/products', { name: 'Espresso machine', gtin: '09506000134352' })
  const links = ['en', 'de'].map((language) => ({
    link_type: 'gs1:pip',
    url: `https://acme.example/${language}`,
    title: 'Espresso machine',
    language,
    is_default: language === 'en',
  }))
  expect(await acme.put(`/v1/products/${product.id}/links`, { links })).toMatchObject({ status: 200 })
  const { body: domain } = await acme.post('/v1/custom-domains', { domain: 'id.acme.com' })
  await using caddy = await Caddy.start({ program, hosts: APP_HOST, upstreams: [`127.0.0.1:${harness.service.port}`] })
  const path = '/01/09506000134352/10/LOT7/21/S1'
  const scan = () => caddy.send('id.acme.com', path, { headers: { 'user-agent': PHONE, 'accept-language': 'de-AT' } })

  await expect(scan(), 'not verified').rejects.toThrow(/alert/)
  zone.prove(domain.verification_records)
  expect((await acme.post(`/v1/custom-domains/${domain.id}/verify`)).body).toMatchObject({ status: 'verified' })
  const image = await acme.get(`/v1/products/${product.id}/image?format=json&lot=LOT7&serial=S1`)
  expect(image.body.encoded_url).toBe(`https://id.acme.com${path}`)
  expect(await scan()).toMatchObject({ status: 302, headers: { location: 'https://acme.example/de' } })
  const counted = { product_id: product.id, is_bot: false, gs1: { lot: 'LOT7', serial: 'S1' } }
  expect((await acme.get('/v1/scans')).body.data).toMatchObject([counted])
  await expect(caddy.send('www.id.acme.com', '/'), 'not an apex').rejects.toThrow(/alert/)
  await expect(caddy.send('other.acme.com', '/'), 'unknown').rejects.toThrow(/alert/)

  expect(await redirectOf(caddy.httpPort, 'id.acme.com', path)).toBe(`https://id.acme.com${path}`)
  expect(await caddy.send(APP_HOST, '/v1/me')).toMatchObject({ status: 401 })
  const asked = await caddy.send(APP_HOST, '/internal/tls-ask?domain=id.acme.com')
  expect(asked.status, 'a visitor cannot find out which domains are connected').toBe(404)
})

/** Where a request without TLS is sent. */
function redirectOf(port: number, host: string, path: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers: { host } })
      .once('error', reject)
      .once('response', ({ headers }) => resolve(headers.location))
      .end()
  })
}
