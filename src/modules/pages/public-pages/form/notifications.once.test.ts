/** Members who want to know about a submission get a mail, and what a visitor wrote stays a text in it. */
import { expect, test } from 'vitest'
import { MINUTE_MS, timestamp } from '../../../../platform/clock/index.ts'
import { eventually } from '../../../../testing/eventually.ts'
import { type Person, type Tenant, useMailingHarness } from '../../../../testing/harness.ts'
import { createPage, FIELDS, PageVisitor, submissionsOf } from '../../../../testing/page-visitor.ts'
import type { ReceivedMail } from '../../../../testing/world/smtp-server.ts'
import { addMember } from '../../../account/members/index.ts'

const { harness, smtp } = await useMailingHarness({ config: { trustProxy: '127.0.0.1' } })

async function visit(tenant: Tenant, people: Person[], more: object = {}) {
  const page = await createPage(tenant, FIELDS, { notify_user_ids: people.map(({ userId }) => userId), ...more })
  const visitor = new PageVisitor(harness, page)
  await visitor.open()
  return { page, visitor }
}

const speak = ({ userId }: Person, language: string) =>
  harness.service.database.kysely.updateTable('users').set({ language }).where('id', '=', userId).execute()

/** Waits until no mail waits to be sent. */
const allSent = () =>
  eventually(
    async () => (await harness.service.database.kysely.selectFrom('mails').select('id').execute()).length === 0,
  )

/** The only mail to a person. */
function mailTo({ email }: Person): ReceivedMail {
  const mails = smtp.to(email)
  expect(mails).toHaveLength(1)
  return mails[0] as ReceivedMail
}

test('a new submission is mailed to the chosen members, each in their language, and to nobody else', async () => {
  const acme = await harness.createTenant()
  const [english, german, notChosen] = [
    await harness.createPerson(acme, 'owner'),
    await harness.createPerson(acme, 'agent'),
    await harness.createPerson(acme, 'owner'),
  ]
  await speak(german, 'de')
  const { page, visitor } = await visit(acme, [english, german], { title: 'Störung melden 🛢️' })
  expect((await visitor.send({ what: 'Öl läuft aus', email: 'visitor@acme.example', where: ['a', 'b'] })).status).toBe(
    303,
  )
  await allSent()
  const [submission] = await submissionsOf(harness, acme, page)
  const [inEnglish, inGerman] = [mailTo(english), mailTo(german)]
  expect(inEnglish.subject).toBe('New submission 1: Störung melden 🛢️')
  expect(inGerman.subject).toBe('Neue Einsendung 1: Störung melden 🛢️')
  for (const { text, html, path, headers } of [inEnglish, inGerman]) {
    expect(text).toContain('What happened?: Öl läuft aus\nEmail: visitor@acme.example\nWhere?: A; B\n')
    expect(html).toContain('Öl läuft aus')
    expect(path).toBe(`/account/submission?id=${submission?.id}`)
    // A reply must not reach an address that the visitor has typed.
    expect(headers.has('reply-to')).toBe(false)
  }
  expect(smtp.to(notChosen.email)).toEqual([])
})

test('nothing that a visitor writes becomes a header, a recipient, a link or markup', async () => {
  const acme = await harness.createTenant()
  const member = await harness.createPerson(acme, 'agent')
  const { visitor } = await visit(acme, [member])
  const evil =
    'Hi\r\nBcc: victim@evil.example\r\nContent-Type: text/html\r\n\r\n<script>alert(1)</script>\r\n.\r\nRCPT TO:<victim@evil.example>\u2028https://evil.example/\u202e'
  expect((await visitor.send({ what: evil })).status).toBe(303)
  await allSent()
  const { to, headers, text, html } = mailTo(member)
  expect(to).toEqual([member.email])
  expect([...headers.keys()].sort()).toEqual([
    'auto-submitted',
    'content-type',
    'date',
    'from',
    'message-id',
    'mime-version',
    'subject',
    'to',
  ])
  expect(headers.get('to')).toEqual([member.email])
  expect(headers.get('content-type')?.[0]).toMatch(/^multipart\/alternative;/)
  const line =
    'What happened?: Hi Bcc: victim@evil.example Content-Type: text/html <script>alert(1)</script> . RCPT TO:<victim@evil.example> https://evil.example/'
  expect(text.split('\n')).toContain(line)
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(html).not.toContain('<script')
  expect(html).not.toMatch(/href="[^"]*evil/)
  expect(smtp.to('victim@evil.example')).toEqual([])
})

test('a member who left for another organisation gets no mail, and suspected spam causes none', async () => {
  const [acme, other] = [await harness.createTenant(), await harness.createTenant()]
  const [stays, left] = [await harness.createPerson(acme, 'agent'), await harness.createPerson(acme, 'agent')]
  const { page, visitor } = await visit(acme, [stays, left])
  expect((await acme.delete(`/v1/team/members/${left.memberId}`)).status).toBe(204)
  // The page still names the person, who is a member elsewhere now.
  const now = timestamp(harness.nowMs())
  await harness.service.database.write((tx) => addMember(tx, other.orgId, left.userId, 'agent', now))
  expect((await acme.get(`/v1/pages/${page.id}`)).body.notify_user_ids).toContain(left.userId)
  expect((await visitor.send({ what: 'It leaks' })).status).toBe(303)
  expect((await visitor.send({ what: 'Buy pills', _wm_t: 'x@spam.example' })).status).toBe(303)
  await allSent()
  expect(await submissionsOf(harness, acme, page)).toHaveLength(2)
  expect(mailTo(stays).text).toContain('It leaks')
  expect(smtp.to(left.email)).toEqual([])
})

test('a mail that waits for the mail server is not sent to a member who has left meanwhile', async () => {
  const acme = await harness.createTenant()
  const [stays, leaves] = [await harness.createPerson(acme, 'agent'), await harness.createPerson(acme, 'agent')]
  const { visitor } = await visit(acme, [stays, leaves])
  const before = smtp.attempts
  smtp.reply = 451
  expect((await visitor.send({ what: 'It leaks' })).status).toBe(303)
  await eventually(() => smtp.attempts === before + 2)
  expect((await acme.delete(`/v1/team/members/${leaves.memberId}`)).status).toBe(204)
  smtp.reply = 250
  // Longer than the lease of a mail whose failed attempt is not stored yet.
  harness.advance(2 * MINUTE_MS)
  await allSent()
  expect(mailTo(stays).text).toContain('It leaks')
  expect(smtp.to(leaves.email)).toEqual([])
})
