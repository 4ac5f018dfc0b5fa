/** What a visitor reads before and after asking for a person is true with and without a mail server. */
import { afterAll, describe, expect, test } from 'vitest'
import { LANGUAGES } from '../../../platform/contract/languages.ts'
import { ChatPage } from '../../../testing/chat-page.ts'
import { createBot } from '../../../testing/data/conversations.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { TestSmtpServer } from '../../../testing/world/smtp-server.ts'
import { TEXTS } from './texts.ts'

const CLOSED = { office_hours: { time_zone: 'UTC', days: {} } }
const { person } = TEXTS.en
/** Each of them promises a mail to the visitor. */
const PROMISES = [person.away, person.awayKnown, person.emailHelp]

/** What visitors see of a page. */
const withoutTemplates = (page: string) => page.replace(/<template[\s\S]*?<\/template>/g, '')

/** Asks for a person on the page, without scripts. */
async function visit(harness: ReturnType<typeof useHarness>, more: object, role: 'agent' | 'member' = 'agent') {
  const acme: Tenant = await harness.createTenant()
  await harness.createPerson(acme, role)
  const bot = await createBot(acme, more)
  const page = new ChatPage(harness, bot)
  await page.open()
  const before = page.text
  await page.send('agent', {})
  return { acme, bot, page, before, after: page.text }
}

describe('without a mail server', () => {
  const harness = useHarness({ config: { trustProxy: '127.0.0.1' } })

  test.each([
    ['in', {}],
    ['outside', CLOSED],
  ])('no sentence promises a mail %s the office hours, and nobody is said to be told', async (_when, more) => {
    const { bot, page, before, after } = await visit(harness, more)
    await page.send('agent', { contact_email: 'kim@acme.example' })
    const frame = await page.open(`${page.path}/frame`)
    for (const text of [before, after, page.text, frame]) {
      for (const promise of PROMISES) expect(text).not.toContain(promise)
      expect(text).not.toContain(person.requested)
    }
    expect(after).toContain(person.waiting)
    const byScript = await new ChatPage(harness, bot).sendByScript('agent', {})
    expect(byScript.json).toMatchObject({ text: person.waiting, needs_address: true })
  })

  test('outside the office hours, the visitor reads how to come back', async () => {
    const { before } = await visit(harness, CLOSED)
    expect(before).toContain(person.awayWithoutMail)
  })
})

describe('with a mail server', async () => {
  const smtp = await TestSmtpServer.start()
  afterAll(() => smtp.close())
  const harness = useHarness({ config: { trustProxy: '127.0.0.1', mail: smtp.settings } })

  test('the team is said to be told exactly if somebody was', async () => {
    const [agent, member] = [await visit(harness, CLOSED), await visit(harness, CLOSED, 'member')]
    expect(agent.before).toContain(person.away)
    expect(agent.after).toContain(person.requested)
    expect(agent.after).not.toContain(person.waiting)
    expect(member.after).toContain(person.waiting)
    expect(member.after).not.toContain(person.requested)
  })

  test('the field for an address remains until it is filled, and is not there for a known one', async () => {
    const { acme, page, after } = await visit(harness, CLOSED)
    expect(withoutTemplates(after)).toContain('<form class="address"')
    expect(after).toContain(person.emailHelp)
    expect(await page.send('agent', { contact_email: 'kim@' })).toMatchObject({ status: 422 })
    expect(page.text).toContain(TEXTS.en.problems.email)
    await page.send('agent', { contact_email: 'kim@acme.example' })
    expect(withoutTemplates(page.text)).not.toContain('name="contact_email"')
    expect((await acme.get('/v1/conversations')).body.data[0]).toMatchObject({ contact_email: 'kim@acme.example' })
  })

  test('a known address is not asked for, and the reply goes to it', async () => {
    const acme = await harness.createTenant()
    const page = new ChatPage(harness, await createBot(acme, CLOSED))
    await page.open()
    await page.write('Hello')
    const [{ id }] = (await acme.get('/v1/conversations')).body.data
    await acme.patch(`/v1/conversations/${id}`, { contact_email: 'kim@acme.example' })
    await page.open()
    expect(page.text).toContain(person.awayKnown)
    expect(withoutTemplates(page.text)).not.toContain('name="contact_email"')
  })

  test('"Talk to a person" is the only wording, and is gone once it was asked for, in this and in other tabs', async () => {
    const acme = await harness.createTenant()
    const page = new ChatPage(harness, await createBot(acme))
    await page.open()
    await page.write('Which bank account do refunds of parking tickets go to?')
    expect(page.text.split(person.ask)).toHaveLength(4)
    expect(page.text).toContain('You can also talk to a person.')
    expect(page.text).not.toMatch(/ask (for )?a person/i)
    await page.send('agent', {})
    for (const text of [page.text, await page.open(), await page.open(`${page.path}?lang=en`)])
      expect(text).not.toContain(person.ask)
    const stream = await page.listen()
    await stream.until(({ texts }) => texts.length >= 2)
    expect(stream.named('message').some(({ html }) => html.includes('data-person'))).toBe(false)
    await stream.close()
  })

  test.each(LANGUAGES)('in %s, the answer without an answer and the button use the same words', async (language) => {
    const acme = await harness.createTenant()
    const page = new ChatPage(harness, await createBot(acme))
    const { text } = await page.request('GET', `${page.path}?lang=${language}`)
    expect(text.split(TEXTS[language].person.ask)).toHaveLength(3)
  })
})
