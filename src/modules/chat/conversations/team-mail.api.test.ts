/** Who may answer gets a mail when a visitor waits for a person, and the visitor is told so only then. */
import { afterEach, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../../platform/clock/index.ts'
import { ChatPage } from '../../../testing/chat-page.ts'
import { createBot } from '../../../testing/data/conversations.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type Tenant, useMailingHarness } from '../../../testing/harness.ts'

const { harness, smtp } = await useMailingHarness({ config: { trustProxy: '127.0.0.1' } })

const TOLD = 'We have told our team. Somebody will reply here.'
const NOT_TOLD = 'Your request is waiting for our team. Keep this page open, or come back with the same link.'

afterEach(() => {
  smtp.reply = 250
})

const mailsOf = ({ orgId }: Tenant) =>
  harness.service.database.kysely
    .selectFrom('mails')
    .select(['recipient', 'kind'])
    .where('cause_id', '=', orgId)
    .execute()

const allSent = (tenant: Tenant) => eventually(async () => (await mailsOf(tenant)).length === 0)

/** An organisation with one agent, whose mails wait, and a visitor of its chatbot. */
async function visit() {
  smtp.reply = 451
  const acme = await harness.createTenant()
  const agent = await harness.createPerson(acme, 'agent')
  const bot = await createBot(acme, { name: 'Acme help' })
  const page = new ChatPage(harness, bot)
  const ask = (fields = {}) => page.sendByScript('agent', fields)
  const conversation = async () => (await acme.get(`/v1/conversations?chatbot_id=${bot.id}`)).body.data[0]
  return { acme, agent, bot, page, ask, conversation }
}

test('everybody who may answer gets one mail with the question, and nobody else', async () => {
  const acme = await harness.createTenant()
  const [owner, admin, agent] = [
    await harness.createPerson(acme, 'owner'),
    await harness.createPerson(acme, 'admin'),
    await harness.createPerson(acme, 'agent'),
  ]
  const others = [
    await harness.createPerson(acme, 'manager'),
    await harness.createPerson(acme, 'member'),
    await harness.createPerson(await harness.createTenant(), 'owner'),
  ]
  const { kysely } = harness.service.database
  await kysely.updateTable('users').set({ language: 'de' }).where('id', '=', agent.userId).execute()
  const page = new ChatPage(harness, await createBot(acme, { name: 'Acme help' }))
  await page.sendByScript('messages', { text: 'Where is my\r\nBcc: x@evil.example order?' })
  const asked = await page.sendByScript('agent', { contact_name: 'Kim', contact_email: 'kim@acme.example' })
  expect(asked).toMatchObject({ status: 200, json: { status: 'agent_requested', text: TOLD, needs_address: false } })
  await allSent(acme)
  for (const { email } of [owner, admin, agent]) expect(smtp.to(email), email).toHaveLength(1)
  for (const { email } of others) expect(smtp.to(email), email).toEqual([])
  const [english, german] = [smtp.to(owner.email)[0], smtp.to(agent.email)[0]]
  expect(english?.subject).toMatch(/^A visitor of Acme \d+ wants to talk to a person$/)
  expect(english?.text).toContain('in the chat “Acme help”')
  expect(english?.text).toContain('Question: Where is my Bcc: x@evil.example order?\nVisitor: Kim, kim@acme.example\n')
  expect(german?.subject).toMatch(/^Jemand möchte bei Acme \d+ mit einem Menschen sprechen$/)
})

test('a visitor is not told that somebody was told if there is nobody to tell', async () => {
  const acme = await harness.createTenant()
  await harness.createPerson(acme, 'member')
  const page = new ChatPage(harness, await createBot(acme))
  const { json } = await page.sendByScript('agent', {})
  expect(json).toMatchObject({ text: NOT_TOLD, needs_address: true })
  expect(await mailsOf(acme)).toEqual([])
  expect(await page.open()).not.toContain('We have told our team')
  // Somebody has joined, and the visitor asks once more.
  await harness.createPerson(acme, 'agent')
  expect((await page.sendByScript('agent', {})).json.text).toBe(TOLD)
})

test('a conversation causes at most one mail in 10 minutes, also by requests at once and after a restart', async () => {
  const { acme, page, ask } = await visit()
  await page.sendByScript('messages', { text: 'Hello' })
  const texts = (await Promise.all(Array.from({ length: 5 }, () => ask()))).map(({ json }) => json.text)
  expect(new Set(texts)).toEqual(new Set([TOLD]))
  await ask({ contact_email: 'kim@acme.example' })
  await harness.restart()
  harness.advance(9 * MINUTE_MS)
  expect((await ask()).json.text).toBe(TOLD)
  expect(await mailsOf(acme)).toHaveLength(1)
  harness.advance(MINUTE_MS)
  await ask()
  expect(await mailsOf(acme)).toHaveLength(2)
})

test('nobody is told again once a person answers', async () => {
  const { acme, ask, conversation } = await visit()
  await ask()
  await acme.post(`/v1/conversations/${(await conversation()).id}/messages`, { text: 'Hello' })
  harness.advance(11 * MINUTE_MS)
  const { json } = await ask({ contact_email: 'kim@acme.example' })
  expect(json).toEqual({ status: 'open', text: 'You are talking to our team.', needs_address: false })
  expect(await mailsOf(acme)).toHaveLength(1)
})

test('a member who is removed while the mail waits does not get it', async () => {
  const { acme, agent, ask } = await visit()
  const admin = await harness.createPerson(acme, 'admin')
  await ask()
  await eventually(() => [agent, admin].every(({ email }) => smtp.tried.has(email)))
  expect((await acme.delete(`/v1/team/members/${admin.memberId}`)).status).toBe(204)
  smtp.reply = 250
  harness.advance(2 * MINUTE_MS)
  await allSent(acme)
  expect(smtp.to(agent.email)).toHaveLength(1)
  expect(smtp.to(admin.email)).toEqual([])
})

test('the mail is erased with the conversation that it quotes', async () => {
  const { acme, ask, conversation } = await visit()
  await ask({ contact_name: 'Kim' })
  expect(await mailsOf(acme)).toHaveLength(1)
  expect((await acme.delete(`/v1/conversations/${(await conversation()).id}`)).status).toBe(204)
  expect(await mailsOf(acme)).toEqual([])
})

test('strangers who open many conversations cause few mails, and are not told more than is true', async () => {
  const { acme, bot } = await visit()
  const ask = async (address?: string) =>
    (await new ChatPage(harness, bot, address).sendByScript('agent', {})).json.text as string
  const fromOne: string[] = []
  for (let n = 0; n < 8; n++) fromOne.push(await ask('198.51.100.7'))
  expect(fromOne).toEqual([...Array(6).fill(TOLD), ...Array(2).fill(NOT_TOLD)])
  for (let n = 0; n < 30; n++) await ask(`203.0.113.${n}`)
  expect(await mailsOf(acme)).toHaveLength(30)
  expect(await ask('192.0.2.1')).toBe(NOT_TOLD)
  // Another organisation is not affected.
  const other = await visit()
  expect((await other.ask()).json.text).toBe(TOLD)
  harness.advance(2 * HOUR_MS)
  expect(await ask('192.0.2.1')).toBe(TOLD)
})

test('a request that a member or a program makes tells the others', async () => {
  const { acme, agent, page, conversation } = await visit()
  const owner = await harness.createPerson(acme, 'owner')
  await page.sendByScript('messages', { text: 'Hello' })
  const path = `/v1/conversations/${(await conversation()).id}`
  expect((await agent.patch(path, { status: 'agent_requested' })).status).toBe(200)
  expect(await mailsOf(acme)).toEqual([{ recipient: owner.email, kind: 'conversation_waiting' }])
  // Nothing changes, so nobody is told again.
  harness.advance(11 * MINUTE_MS)
  await acme.patch(path, { status: 'agent_requested' })
  expect(await mailsOf(acme)).toHaveLength(1)
})
