/** Visitors who give an address get a mail with the receipt and with each reply. A form cannot be used to mail others. */
import { expect, test } from 'vitest'
import { HOUR_MS } from '../../../../platform/clock/index.ts'
import { eventually } from '../../../../testing/eventually.ts'
import { type Tenant, useMailingHarness } from '../../../../testing/harness.ts'
import { createPage, hiddenIn, PageVisitor, submissionsOf } from '../../../../testing/page-visitor.ts'
import { rememberToken } from '../../../../testing/secrets-guard.ts'

const { harness, smtp } = await useMailingHarness({ config: { trustProxy: '127.0.0.1' } })

const BLOCKS = [
  {
    type: 'form_select',
    config: { label: 'Problem', name: 'problem', options: [{ value: 'bad_prints', label: 'Bad prints' }] },
  },
  { type: 'form_textarea', config: { label: 'What happened?', name: 'what' } },
  { type: 'form_email', config: { label: 'Email', name: 'email' } },
  { type: 'form_email', config: { label: 'Email of a colleague', name: 'colleague' } },
]

async function scan(acme: Tenant, more: object = {}) {
  const page = await createPage(acme, BLOCKS, { title: 'Fault', ...more })
  const body = { type: 'machine', name: 'Acme One, kitchen', destination: { page: page.id } }
  const object = (await acme.post('/v1/objects', body)).body
  const open = async () => {
    const visitor = new PageVisitor(harness, page)
    const { text } = await visitor.request('GET', `/o/${object.public_slug}`)
    visitor.hidden = hiddenIn(text)
    harness.advance(5000)
    return visitor
  }
  return { page, open, visitor: await open() }
}

const allSent = () =>
  eventually(
    async () => (await harness.service.database.kysely.selectFrom('mails').select('id').execute()).length === 0,
  )

const tokenIn = (path = ''): string => {
  const token = /\/p\/receipt\/([\w-]{43})$/.exec(path)?.[1] ?? ''
  rememberToken(token)
  return token
}

test('the subject of the mail to members says which machine, and what is wrong with it', async () => {
  const acme = await harness.createTenant()
  const member = await harness.createPerson(acme, 'agent')
  const { visitor } = await scan(acme, { notify_user_ids: [member.userId] })
  await visitor.send({ problem: 'bad_prints', what: 'Streaks' })
  await visitor.send({ email: 'member-only@acme.example' })
  await allSent()
  const [first, second] = smtp.to(member.email)
  expect(first?.subject).toBe('Fault at Acme One, kitchen: Bad prints')
  expect(first?.text).toContain('Problem: Bad prints\nWhat happened?: Streaks\n')
  expect(second?.subject).toBe('Fault at Acme One, kitchen: 2')
})

test('the first address of a form gets one mail with the receipt, without what was typed, and one with each reply', async () => {
  const acme = await harness.createTenant()
  const { page, visitor } = await scan(acme)
  const typed = { what: 'Visit evil.example', email: 'kim@acme.example', colleague: 'other@acme.example' }
  const { json } = await visitor.sendByScript(typed)
  await allSent()
  const [copy, ...others] = smtp.to('kim@acme.example')
  expect([others, smtp.to('other@acme.example')]).toEqual([[], []])
  expect(copy?.subject).toBe('Report 1 for Acme One, kitchen')
  expect(copy?.path).toBe(json.receipt)
  tokenIn(copy?.path)
  for (const text of [copy?.text, copy?.html]) expect(text).not.toContain('evil')

  const id = (await submissionsOf(harness, acme, page))[0]?.id
  const reply = await acme.post(`/v1/submissions/${id}/replies`, { text: 'A new drum\nis on its way.' })
  expect(reply.body.mailed).toBe(true)
  await allSent()
  const mail = smtp.to('kim@acme.example')[1]
  expect(mail?.subject).toBe('Reply: Report 1 for Acme One, kitchen')
  expect(mail?.text).toContain('Answer: A new drum is on its way.')
  // Only a hash of the first address is stored, so this is another one. Both work.
  expect(tokenIn(mail?.path)).not.toBe('')
  expect(mail?.path).not.toBe(copy?.path)
  for (const path of [mail?.path ?? '', copy?.path ?? '']) {
    expect((await visitor.request('GET', path)).text).toContain('A new drum\nis on its way.')
  }
})

test('mails are in the language in which the form was filled in', async () => {
  const acme = await harness.createTenant()
  const { page, visitor } = await scan(acme, { default_language: 'de' })
  const body = new URLSearchParams({ ...visitor.hidden, what: 'Streifen', email: 'german@acme.example' })
  expect((await visitor.request('POST', `/p/${page.public_slug}?lang=de`, body)).status).toBe(303)
  await allSent()
  expect(smtp.to('german@acme.example')[0]?.subject).toBe('Meldung 1 zu Acme One, kitchen')
  tokenIn(smtp.to('german@acme.example')[0]?.path)
})

test('spam and a form that is sent again cause no mail', async () => {
  const acme = await harness.createTenant()
  const { page, visitor } = await scan(acme)
  await visitor.send({ email: 'spam@acme.example', _wm_t: 'x@spam.example' })
  const again = { email: 'again@acme.example', _wm_key: 'the-same-form-every-time' }
  for (let n = 0; n < 3; n++) await visitor.send(again)
  await allSent()
  expect(await submissionsOf(harness, acme, page)).toHaveLength(2)
  expect([smtp.to('spam@acme.example').length, smtp.to('again@acme.example').length]).toEqual([0, 1])
})

test('one address, one sender and one page get only a few mails within an hour, and every form is received', async () => {
  const acme = await harness.createTenant()
  const { page, open } = await scan(acme, { proof_of_work: 'never' })
  const sendTo = async (emails: string[]) => {
    const visitor = await open()
    for (const email of emails) expect((await visitor.send({ email })).status).toBe(303)
    await allSent()
  }
  // From one sender to many: ten.
  await sendTo(Array.from({ length: 15 }, (_, n) => `many-${n}@acme.example`))
  expect(smtp.received.filter(({ to }) => to[0]?.startsWith('many-'))).toHaveLength(10)
  // From many to one: five.
  for (let n = 0; n < 8; n++) await sendTo(['Victim@acme.example'])
  expect(smtp.to('Victim@acme.example')).toHaveLength(5)
  expect(await submissionsOf(harness, acme, page)).toHaveLength(23)
  harness.advance(2 * HOUR_MS)
  await sendTo(['victim@acme.example'])
  expect(smtp.to('victim@acme.example')).toHaveLength(1)
})
