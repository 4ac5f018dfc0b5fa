/** What is compressed of the account pages, and what an observer of their lengths must not learn (ADR 19). */
import { expect, test } from 'vitest'
import { useHarness } from '../../../testing/harness.ts'
import { Visitor } from '../../../testing/visitor.ts'

const harness = useHarness()

const load = (path: string, cookie = '') =>
  fetch(`${harness.baseUrl}${path}`, { redirect: 'manual', headers: { 'accept-encoding': 'gzip', cookie } })
const encodingOf = async (path: string, cookie = '') => (await load(path, cookie)).headers.get('content-encoding')

const cookieOf = ({ token }: { token: string }) => `waymark_session=${token}`

test('pages are compressed, unless the request has something that they could repeat', async () => {
  const acme = await harness.createTenant()
  const owner = await harness.createPerson(acme, 'owner')
  for (const path of ['/account', '/account/team', '/account/audit-log', '/account/organisation']) {
    const { headers } = await load(path, cookieOf(owner))
    expect([path, headers.get('content-encoding'), headers.get('vary')]).toEqual([path, 'gzip', 'accept-encoding'])
    expect(await encodingOf(`${path}?saved=guess`, cookieOf(owner))).toBeNull()
  }
  const person = new Visitor(harness.baseUrl)
  person.cookies.set('waymark_session', owner.token)
  const refused = await person.fillIn('/account/organisation', { name: 'A guess', slug: '-' })
  expect([refused.status, refused.headers.get('content-encoding')]).toEqual([400, null])
  expect(refused.text).toContain('A guess')
})

test('pages with text of outsiders are not compressed', async () => {
  const acme = await harness.createTenant()
  expect(await encodingOf('/account/submissions', cookieOf(await harness.createPerson(acme, 'owner')))).toBeNull()
})

test('the token of forms looks different on every page, and every form of it works', async () => {
  const acme = await harness.createTenant()
  const person = new Visitor(harness.baseUrl)
  person.cookies.set('waymark_session', (await harness.createPerson(acme, 'owner')).token)
  const tokens = new Set<string>()
  for (let n = 0; n < 3; n++) {
    const { text } = await person.open('/account/organisation')
    for (const [, token = ''] of text.matchAll(/name="form_token" value="([^"]+)"/g)) tokens.add(token)
  }
  expect(tokens.size).toBeGreaterThanOrEqual(6)
  const fields = {
    name: 'Acme',
    slug: acme.slug,
    default_language: 'en',
    time_zone: 'UTC',
    logo_url: '',
    fallback_url: '',
  }
  for (const form_token of tokens)
    expect((await person.send('/account/organisation', { ...fields, form_token })).status).toBe(303)
  for (const form_token of ['', 'x'.repeat(86), [...tokens][0]?.slice(0, 43) ?? ''])
    expect((await person.send('/account/organisation', { ...fields, form_token })).status).toBe(403)
})

test('the style sheet and the scripts are files, compressed and cached for good', async () => {
  const { text } = await new Visitor(harness.baseUrl).open('/account/sign-in')
  const [, style = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(text) ?? []
  expect(style).toMatch(/^\/account\/style\.css\?v=/)
  for (const path of [style, '/account/passkeys.js']) {
    const { headers } = await load(path)
    expect([path, headers.get('content-encoding')]).toEqual([path, 'gzip'])
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  }
})
