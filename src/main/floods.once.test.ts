/** What one address may do before anything is read, looked up or rendered for it. */
import { beforeAll, describe, expect, test } from 'vitest'
import { signScan } from '../modules/codes/scanned-things/index.ts'
import { MINUTE_MS } from '../platform/clock/index.ts'
import { newId } from '../platform/ids/index.ts'
import { type Tenant, useHarness } from '../testing/harness.ts'

/** Few, so that the test sends few. */
const FEW = { atOnce: 2, perSecond: 0.1 }
const harness = useHarness({
  config: { trustProxy: '127.0.0.0/8' },
  overrides: { paces: { page: FEW, form: FEW, search: FEW, authorisation: FEW, token: FEW } },
})

let acme: Tenant
let baseId: string
const paths: Record<string, string> = {}
beforeAll(async () => {
  acme = await harness.createTenant()
  const { body: base } = await acme.post('/v1/knowledge-bases', { name: 'Care', is_published: true })
  baseId = base.id
  const { body: bot } = await acme.post('/v1/chatbots', { name: 'Care', status: 'active' })
  const { body: page } = await acme.post('/v1/pages', {
    title: 'Report a fault',
    status: 'active',
    blocks: [{ type: 'form_text', config: { label: 'What', name: 'what' } }],
  })
  Object.assign(paths, { kb: `/kb/${base.public_slug}`, bot: `/c/${bot.public_slug}`, page: `/p/${page.public_slug}` })
})

let addresses = 0
const nextAddress = () => `198.51.100.${++addresses}`

const PAGE = { accept: 'text/html', 'accept-language': 'de' }
/** Background work goes on, but does not repeat one statement so often. */
const REFUSED = 12

const send = (address: string, method: string, path: string, headers: Record<string, string> = PAGE) =>
  fetch(harness.baseUrl + path, {
    method,
    redirect: 'manual',
    headers: {
      ...headers,
      'x-forwarded-for': address,
      ...(method === 'POST' && {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
      }),
    },
    ...(method === 'POST' && { body: 'text=x' }),
  })

/** The page of a help centre in memory, with what was scanned in its header. */
function scannedPath(): string {
  const scanned = { kind: 'object', id: newId() } as const
  const signed = signScan(harness.service.keyring, paths.kb as string, { scanned, scanId: newId() }, harness.nowMs())
  return `${paths.kb}?s=${signed}`
}

const COSTLY: [name: string, method: 'GET' | 'POST', path: () => string][] = [
  ['a search in the documentation', 'GET', () => '/docs/search?q=webhooks'],
  ['a search in a help centre', 'GET', () => `${paths.kb}/search?q=oil`],
  ['an unknown page of a help centre', 'GET', () => `${paths.kb}/nothing-${++addresses}`],
  ['a page of a help centre after a scan', 'GET', scannedPath],
  ['the page to sign in', 'GET', () => '/account/sign-in'],
  ['a password', 'POST', () => '/account/sign-in'],
  ['a request for a new password', 'POST', () => '/account/forgot-password'],
  ['an invitation', 'GET', () => '/account/invitation?token=x'],
  ['a chat', 'GET', () => paths.bot as string],
  ['a message in a chat', 'POST', () => `${paths.bot}/messages`],
  ['a password of a chat', 'POST', () => `${paths.bot}/password`],
  ['a form', 'POST', () => paths.page as string],
  ['a vote on an article', 'POST', () => `${paths.kb}/articles/oiling/feedback`],
  ['a request of an application', 'GET', () => '/oauth/authorize?client_id=x'],
]

describe.each(COSTLY)('%s', (_name, method, path) => {
  test('costs nothing beyond the pace of its address, and people read what to do', async () => {
    using _ = harness.stopClock()
    const address = nextAddress()
    for (let n = 0; n < FEW.atOnce; n++) expect((await send(address, method, path())).status).not.toBe(429)
    const statements = await harness.statementsOf(async () => {
      const refused = await send(address, method, path())
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10'])
      expect(refused.headers.get('content-language')).toBe('de')
      expect(await refused.text()).toContain('Aus Ihrem Netzwerk kamen in kurzer Zeit sehr viele Anfragen.')
      for (let n = 1; n < REFUSED; n++) {
        const asJson = await send(address, method, path(), { accept: 'application/json' })
        expect(await asJson.json()).toMatchObject({ error: 'rate_limited', message: expect.any(String) })
      }
    })
    for (const { sql } of statements)
      expect(statements.filter((other) => other.sql === sql).length, sql).toBeLessThan(REFUSED)
    expect((await send(nextAddress(), method, path())).status, 'of another address').not.toBe(429)
    harness.advance(MINUTE_MS)
    expect((await send(address, method, path())).status, 'a little later').not.toBe(429)
  })
})

test('an endpoint for tokens says it as OAuth does', async () => {
  using _ = harness.stopClock()
  const address = nextAddress()
  for (const path of ['/oauth/token', '/oauth/revoke']) {
    for (let n = 0; n < FEW.atOnce; n++) await send(address, 'POST', path)
    const refused = await send(address, 'POST', path)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10'])
    expect(refused.headers.get('access-control-allow-origin')).toBe('*')
    expect(await refused.json()).toMatchObject({ error: 'too_many_requests' })
    harness.advance(MINUTE_MS)
  }
})

test('scans, pages in memory and the API have no such limit', async () => {
  const { body: code } = await acme.post('/v1/qr-codes', { destination: { url: 'https://acme.com/' } })
  const inMemory = [paths.page, paths.kb, `${paths.kb}/articles`] as string[]
  for (const path of inMemory) expect((await send(nextAddress(), 'GET', path)).status).toBe(200)
  const address = nextAddress()
  for (let n = 0; n < 2 * FEW.atOnce; n++) {
    for (const path of inMemory) expect((await send(address, 'GET', path)).status, path).toBe(200)
    expect((await send(address, 'GET', `/${code.public_slug}`)).status).toBe(302)
  }
  for (let n = 0; n < 2 * FEW.atOnce; n++) expect((await acme.get('/v1/me')).status).toBe(200)
})

test('a page of a help centre that changed since it was made does not count either', async () => {
  const path = `${paths.kb}/categories`
  expect((await send(nextAddress(), 'GET', path)).status).toBe(200)
  const address = nextAddress()
  for (let n = 0; n < 2 * FEW.atOnce; n++) {
    expect((await acme.patch(`/v1/knowledge-bases/${baseId}`, { name: `Care ${n}` })).status).toBe(200)
    expect(await (await send(address, 'GET', path)).text()).toContain(`Care ${n}`)
  }
})
