/** A verified custom domain shows the chatbots of its organisation, and no others. */
import { expect, test } from 'vitest'
import { createBot } from '../../../testing/data/conversations.ts'
import { scan } from '../../../testing/data/scans.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { rememberToken } from '../../../testing/secrets-guard.ts'

const OWN_HOST = 'go.waymark.example'
const harness = useHarness({
  config: { appUrl: 'https://app.waymark.example', publicUrl: `https://${OWN_HOST}`, acceptsAnyHost: false },
})

let domains = 0

async function connectDomain(tenant: Tenant) {
  const domain = `chat-${++domains}.acme.example`
  const { status, body } = await tenant.post('/v1/custom-domains', { domain })
  expect(status).toBe(201)
  return { domain, verify: () => harness.verifyDomain(tenant, body.id) }
}

async function start() {
  const acme = await harness.createTenant()
  const bot = await createBot(acme)
  return { acme, bot, path: `/c/${bot.public_slug}`, ...(await connectDomain(acme)) }
}

const open = (host: string, path: string, headers = {}) => scan(harness, path, { host, ...headers })

const write = (host: string, path: string) =>
  scan(
    harness,
    `${path}/messages?lang=en`,
    {
      host,
      'sec-fetch-site': 'same-origin',
      origin: `https://${host}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    { method: 'POST', body: new URLSearchParams({ text: 'How do I oil the table?' }).toString() },
  )

const conversationsOf = async (tenant: Tenant) => (await tenant.get('/v1/conversations')).body.data

test('a chat works on a custom domain once it is verified', async () => {
  const { acme, bot, path, domain, verify } = await start()
  expect((await open(domain, path)).status).toBe(404)
  expect((await write(domain, path)).status).toBe(404)
  await verify()
  expect((await open(`${domain.toUpperCase()}:443`, path)).status).toBe(200)
  const sent = await write(domain, path)
  // Relative, so the visitor stays on the domain.
  expect([sent.status, sent.headers.get('location')]).toEqual([303, `${path}?lang=en#end`])
  const cookie = sent.headers.get('set-cookie') ?? ''
  rememberToken(cookie.split(/[=;]/)[1] ?? '')
  expect(cookie).toContain(`Path=${path};`)
  expect(cookie).not.toContain('Domain=')
  const shown = await open(domain, path, { cookie: cookie.split(';')[0] ?? '' })
  expect(shown.text).toContain('How do I oil the table?')
  expect(await conversationsOf(acme)).toMatchObject([{ chatbot_id: bot.id, status: 'bot_active' }])
})

test('a host of another organisation, or of nobody, neither shows the chat nor takes messages', async () => {
  const { acme, path, domain, verify } = await start()
  await verify()
  const foreign = await connectDomain(await harness.createTenant())
  await foreign.verify()
  const gone = await createBot(acme)
  await acme.delete(`/v1/chatbots/${gone.id}`)
  for (const host of [foreign.domain, 'nobody.example', '127.0.0.1']) {
    const unknown = await open(host, '/c/k7Qm2XvB9sTe')
    expect(unknown.status).toBe(404)
    const shown = await open(host, path)
    expect([host, shown.status, shown.text]).toEqual([host, 404, unknown.text])
    for (const at of [`${path}/frame`, `${path}/events`]) expect((await open(host, at)).status).toBe(404)
    expect((await write(host, path)).status).toBe(404)
  }
  expect((await open('nobody.example', `/c/${gone.public_slug}`)).status).toBe(404)
  expect((await open(OWN_HOST, `/c/${gone.public_slug}`)).status).toBe(410)
  expect(await conversationsOf(acme)).toEqual([])
  expect((await open(domain, path)).status).toBe(200)
})
