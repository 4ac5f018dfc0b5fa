import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, timestamp } from '../../../platform/clock/index.ts'
import { ChatVisitor, conversationsOf, createBot, createConversation } from '../../../testing/data/conversations.ts'
import { eventually } from '../../../testing/eventually.ts'
import { useMailingHarness } from '../../../testing/harness.ts'

const { harness, smtp } = await useMailingHarness()

let visitors = 0

/** A visitor who waits for a person, has left an address and has closed the page. */
async function leave(more: object = {}, contact: object = {}) {
  const acme = await harness.createTenant()
  const bot = await createBot(acme, more)
  const email = `visitor-${++visitors}@acme.example`
  const visitor = await createConversation(harness, acme, { chatbotId: bot.id, language: 'de' })
  await visitor.askForAgent({ contact_email: email, ...contact })
  const reply = async (text = 'Wir haben Ihnen eine Dichtung geschickt.') => {
    const sent = await acme.post(`${visitor.path}/messages`, { text })
    expect(sent, sent.text).toMatchObject({ status: 201 })
    await allSent()
  }
  return { acme, bot, email, visitor, reply }
}

const mailsTo = (email: string) => smtp.received.filter(({ to }) => to.includes(email))

/** All mails that were written until now have been sent: when the clock is moved, one that is on its way is sent again. */
const allSent = () =>
  eventually(async () => {
    const { kysely } = harness.service.database
    return (await kysely.selectFrom('mails').select('id').execute()).length === 0
  })

test('a visitor who has left gets a mail with a link that continues the conversation once', async () => {
  const { acme, bot, email, visitor, reply } = await leave()
  harness.advance(2 * MINUTE_MS)
  await reply('Wir haben Ihnen eine Dichtung geschickt.\r\nBcc: x@evil.example')
  const [mail, ...others] = mailsTo(email)
  expect(others).toEqual([])
  expect(mail?.subject).toMatch(/^Acme \d+ hat Ihnen geantwortet$/)
  expect(mail?.text).toContain('Wir haben Ihnen eine Dichtung geschickt. Bcc: x@evil.example')
  const [, path, token] = /(\/c\/\w+)\?resume=(\w{43})$/.exec(mail?.path ?? '') ?? []
  expect(path).toBe(`/c/${bot.public_slug}`)

  const conversations = conversationsOf(harness)
  const ofBot = { id: bot.id, orgId: acme.orgId }
  const now = () => timestamp(harness.nowMs())
  const redeem = (to = ofBot) => visitor.write((tx) => conversations.redeemResume(tx, to, token as string, now()))
  const { read } = harness.service.database
  // The link is not the token of a visitor, and belongs to one chatbot.
  expect(await conversations.findByToken(read, ofBot, token as string, now())).toBeUndefined()
  expect(await redeem({ ...ofBot, id: (await createBot(acme)).id })).toBeUndefined()
  const redeemed = await Promise.all([redeem(), redeem(), redeem()])
  const [resumed, ...failed] = redeemed.filter((one) => one !== undefined)
  expect(failed).toEqual([])
  expect(resumed?.conversation.id).toBe(visitor.id)
  expect(await conversations.findByToken(read, ofBot, resumed?.token as string, now())).toMatchObject({
    id: visitor.id,
  })
  // The browser that the conversation began in still works.
  expect(await visitor.find()).not.toHaveProperty('token')
})

test('a command in an answer is the same in the mail', async () => {
  const { email, reply } = await leave()
  harness.advance(2 * MINUTE_MS)
  await reply('Bitte: `frob connect --host <your-host> --token <token>` 🏷️')
  const [mail] = mailsTo(email)
  expect(mail?.text).toContain('frob connect --host <your-host> --token <token>` 🏷️')
  expect(mail?.html).toContain('frob connect --host &lt;your-host&gt; --token &lt;token&gt;` 🏷️')
})

test('a visitor whose page was open within a minute gets none', async () => {
  const { email, visitor, reply } = await leave()
  harness.advance(5 * MINUTE_MS)
  await visitor.isSeen()
  harness.advance(50 * SECOND_MS)
  await reply()
  expect(mailsTo(email)).toEqual([])
  harness.advance(30 * SECOND_MS)
  await reply()
  expect(mailsTo(email)).toHaveLength(1)
})

test('many answers within 10 minutes are one mail', async () => {
  const { email, reply } = await leave()
  harness.advance(2 * MINUTE_MS)
  for (let n = 0; n < 3; n++) await reply(`Answer ${n}`)
  harness.advance(9 * MINUTE_MS)
  await reply()
  expect(mailsTo(email).map(({ text }) => text.includes('Answer 0'))).toEqual([true])
  harness.advance(MINUTE_MS)
  await reply('Later')
  expect(mailsTo(email)).toHaveLength(2)
})

test('two agents who answer at once cause one mail', async () => {
  const { email, reply } = await leave()
  harness.advance(2 * MINUTE_MS)
  await Promise.all(Array.from({ length: 6 }, (_, n) => reply(`Answer ${n}`)))
  expect(mailsTo(email)).toHaveLength(1)
})

test('an address gets at most six mails in an hour, whoever left it', async () => {
  const { acme, bot, email } = await leave()
  for (let n = 0; n < 8; n++) {
    const other = new ChatVisitor(harness, acme, bot.id)
    await other.askForAgent({ contact_email: n % 2 === 0 ? email : email.toUpperCase() })
    harness.advance(2 * MINUTE_MS)
    expect((await acme.post(`${other.path}/messages`, { text: 'Hello' })).status).toBe(201)
    await allSent()
  }
  const received = smtp.received.filter(({ to }) => to.some((one) => one.toLowerCase() === email))
  expect(received).toHaveLength(6)
})

test('nobody is told about a chatbot that is not active any more', async () => {
  const { acme, bot, email, reply } = await leave()
  expect((await acme.patch(`/v1/chatbots/${bot.id}`, { status: 'paused' })).status).toBe(200)
  harness.advance(2 * MINUTE_MS)
  await reply()
  expect(mailsTo(email)).toEqual([])
})

test('the token of a visitor works for 30 days after it was last used, and only with its chatbot', async () => {
  const acme = await harness.createTenant()
  const visitor = await createConversation(harness, acme)
  const conversations = conversationsOf(harness)
  const { chatbotId, orgId, token } = visitor.started
  const find = (bot = { id: chatbotId, orgId }, sent = token) =>
    conversations.findByToken(harness.service.database.read, bot, sent, timestamp(harness.nowMs()))
  expect(await find()).toMatchObject({ id: visitor.id, status: 'bot_active' })
  expect(await find({ id: (await createBot(acme)).id, orgId })).toBeUndefined()
  expect(await find({ id: chatbotId, orgId: (await harness.createTenant()).orgId })).toBeUndefined()
  expect(await find(undefined, `${token.slice(0, -1)}!`)).toBeUndefined()
  harness.advance(29 * DAY_MS)
  await visitor.isSeen()
  harness.advance(29 * DAY_MS)
  expect(await find()).toMatchObject({ id: visitor.id })
  harness.advance(DAY_MS + HOUR_MS)
  expect(await find()).toBeUndefined()
})

test('a conversation has at most ten browsers, and a new one replaces the oldest', async () => {
  const { acme, bot, visitor, reply } = await leave()
  const conversations = conversationsOf(harness)
  const ofBot = { id: bot.id, orgId: acme.orgId }
  const now = () => timestamp(harness.nowMs())
  const tokens: string[] = [visitor.started.token]
  for (let n = 0; n < 11; n++) {
    harness.advance(HOUR_MS)
    await reply()
    const [, resume] = /resume=(\w+)/.exec(smtp.received.at(-1)?.path ?? '') ?? []
    const redeemed = await visitor.write((tx) => conversations.redeemResume(tx, ofBot, resume as string, now()))
    tokens.push(redeemed?.token as string)
  }
  const found = await Promise.all(
    tokens.map((token) => conversations.findByToken(harness.service.database.read, ofBot, token, now())),
  )
  expect(found.map((one) => one !== undefined)).toEqual([false, false, ...Array(10).fill(true)])
})
