import { expect, test } from 'vitest'
import { eventually } from '../../../../testing/eventually.ts'
import { type Tenant, useHarness } from '../../../../testing/harness.ts'
import { PublicChatbots } from './index.ts'

const harness = useHarness({ role: 'api' })

async function openCache() {
  const chatbots = new PublicChatbots(harness.service.database, harness.nowMs)
  return {
    chatbots,
    [Symbol.dispose]: () => chatbots.close(),
  }
}

async function create(tenant: Tenant): Promise<{ id: string; public_slug: string }> {
  return (await tenant.post('/v1/chatbots', { name: 'Support', status: 'active' })).body
}

test('a chatbot is read once, and again after it has changed', async () => {
  using cache = await openCache()
  const acme = await harness.createTenant()
  const { id, public_slug } = await create(acme)
  const nameNow = async () => (await cache.chatbots.find(public_slug))?.name
  expect(await nameNow()).toBe('Support')
  // Repeated, because the announcement of its creation may arrive late, and it is then read again.
  await eventually(async () => {
    const again = await harness.statementsOf(async () => expect(await nameNow()).toBe('Support'))
    return again.every(({ sql }) => !sql.includes('chatbots'))
  })
  await acme.patch(`/v1/chatbots/${id}`, { name: 'Help' })
  await eventually(async () => (await nameNow()) === 'Help')
  await acme.delete(`/v1/chatbots/${id}`)
  await eventually(async () => (await nameNow()) === undefined)
})

test('the new name of an organisation is seen', async () => {
  using cache = await openCache()
  const acme = await harness.createTenant()
  const { public_slug } = await create(acme)
  const organisation = async () => (await cache.chatbots.find(public_slug))?.organisationName
  expect(await organisation()).toMatch(/^Acme /)
  await acme.patch('/v1/organisation', { name: 'Globex' })
  await eventually(async () => (await organisation()) === 'Globex')
})

test('malformed and unknown slugs are nothing', async () => {
  using cache = await openCache()
  for (const slug of ['', 'x', '../etc/passwd', 'never0issued', 'a'.repeat(5000)]) {
    expect(await cache.chatbots.find(slug)).toBeUndefined()
  }
})
