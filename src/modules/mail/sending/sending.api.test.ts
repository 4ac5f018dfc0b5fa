/** A mail that was written with a change is sent, once, unless a worker dies between sending it and storing that. */

import { afterAll, afterEach, describe, expect, inject, test } from 'vitest'
import { mailCatalogue } from '../../../main/mail-catalogue.ts'
import { type Service, startService } from '../../../main/service.ts'
import { HOUR_MS, MINUTE_MS, timestamp } from '../../../platform/clock/index.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import { Mailer } from '../../../platform/mail/index.ts'
import { createRateLimiter } from '../../../platform/rate-limit/index.ts'
import { createLogger } from '../../../platform/telemetry/logging.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type Tenant, testConfig, useMailingHarness } from '../../../testing/harness.ts'
import { invitationMails } from '../../account/invitations/index.ts'
import { organisationPeople } from '../../account/members/index.ts'
import { getRole } from '../../account/roles/index.ts'
import { claimMail, Mails, settleFailed } from '../mails/index.ts'

/** No worker runs until a test starts one, so that mails can wait. */
const { harness, smtp } = await useMailingHarness({ role: 'api' })
const workers: Service[] = []
const logged: string[] = []

async function startWorker(more: object = {}): Promise<Service> {
  const config = { ...testConfig(harness), mail: smtp.settings, ...more }
  const log = createLogger('info', { write: (line: string) => void logged.push(line) })
  const worker = await startService(config, 'worker', log, { clock: harness.nowMs })
  workers.push(worker)
  return worker
}

const stopWorkers = async () => {
  for (const worker of workers.splice(0)) await worker.close()
}
afterEach(async () => {
  smtp.reply = 250
  await stopWorkers()
})
afterAll(stopWorkers)

let people = 0
async function invite(tenant: Tenant) {
  const email = `invitee-${++people}@acme.com`
  const { status } = await tenant.post('/v1/team/invitations', { email, role_id: getRole('agent').id })
  expect(status).toBe(201)
  return { email }
}

const database = () => harness.service.database
const rows = () => database().kysely.selectFrom('mails').selectAll().execute()
/** How long the only mail has to wait. */
const waitMs = async () => Date.parse((await rows())[0]?.due_at ?? '') - harness.nowMs()
const allSettled = () => eventually(async () => (await rows()).length === 0)

const services = () => ({
  database: database(),
  keyring: harness.service.keyring,
  catalogue: mailCatalogue,
  people: organisationPeople,
  findSender: async () => undefined,
  appUrl: 'https://acme.example',
})

/** Writes mails without the limits of the API. */
const inviteMany = (orgId: OrgId, count: number) => {
  const { keyring } = harness.service
  const mails = new Mails({
    keyring,
    limiter: createRateLimiter(database()),
    people: organisationPeople,
    canSend: true,
  })
  return database().write(async (tx) => {
    const emails = Array.from({ length: count }, () => `invitee-${++people}@acme.com`)
    const now = timestamp(harness.nowMs())
    for (const email of emails) {
      const to = { email, language: null }
      expect(await mails.toOutsider(tx, { orgId }, to, invitationMails.invitation, { token: newId() }, now)).toBe(true)
    }
    return emails
  })
}

test('waits in the database, where nobody can read its link', async () => {
  const { email } = await invite(await harness.createTenant())
  const waiting = await rows()
  expect(waiting).toMatchObject([{ recipient: email, kind: 'invitation', attempts: 0 }])
  expect(smtp.to(email), 'nothing is sent inside a request').toEqual([])
  await startWorker()
  await allSettled()
  expect(smtp.to(email)).toHaveLength(1)
  const token = /\/account\/invitation\?token=(wmi_[0-9A-Za-z]{43})\n/.exec(smtp.to(email)[0]?.text ?? '')?.[1]
  expect(token).toBeDefined()
  expect(JSON.stringify(waiting)).not.toContain(token)
})

test('is rolled back with the change that caused it', async () => {
  const acme = await harness.createTenant()
  const { email } = await invite(acme)
  const again = await acme.post('/v1/team/invitations', { email, role_id: getRole('agent').id })
  expect(again.status).toBe(409)
  expect(await rows()).toHaveLength(1)
  await database().kysely.deleteFrom('mails').execute()
})

describe('a mail that the server does not accept', () => {
  test('now is sent later, with growing waits', async () => {
    const { email } = await invite(await harness.createTenant())
    smtp.reply = 451
    const before = smtp.attempts
    await startWorker()
    // The lease of a mail that is being sent ends after more than a minute.
    await eventually(async () => (await waitMs()) > 0 && (await waitMs()) <= MINUTE_MS)
    expect(smtp.attempts).toBe(before + 1)
    harness.advance(MINUTE_MS)
    await eventually(async () => (await waitMs()) > 4 * MINUTE_MS)
    expect(smtp.attempts).toBe(before + 2)
    smtp.reply = 250
    harness.advance(5 * MINUTE_MS)
    await allSettled()
    expect(smtp.to(email)).toHaveLength(1)
  })

  test('ever, because there is no such mailbox, is given up at once; the log does not name it', async () => {
    const { email } = await invite(await harness.createTenant())
    smtp.reply = 550
    const before = smtp.attempts
    await startWorker()
    await allSettled()
    expect(smtp.attempts).toBe(before + 1)
    const lines = logged.join('')
    expect(lines).toContain('gave up on a mail')
    expect(lines).not.toContain(email)
    expect(lines).not.toContain('wmi_')
  })

  test('for three days is given up', async () => {
    await invite(await harness.createTenant())
    const { cause_id, created_at } = (await rows())[0] as { cause_id: string; created_at: string }
    let nowMs = Date.parse(created_at)
    let attempts = 0
    for (;;) {
      const claimed = await claimMail(services(), cause_id, nowMs)
      if (claimed === undefined) break
      attempts++
      await settleFailed(database(), claimed, false, nowMs)
      const [waiting] = await rows()
      if (waiting === undefined) break
      nowMs = Date.parse(waiting.due_at)
    }
    expect(attempts).toBeGreaterThan(15)
    expect(nowMs - Date.parse(created_at)).toBeLessThan(72 * HOUR_MS)
    expect(nowMs - Date.parse(created_at)).toBeGreaterThan(60 * HOUR_MS)
    expect(await rows()).toEqual([])
  })

  test('holds up nothing else when it hangs, not even a shutdown', async () => {
    const acme = await harness.createTenant()
    await inviteMany(acme.orgId, 10)
    smtp.reply = 'hang'
    const before = smtp.attempts
    const worker = await startWorker()
    await eventually(() => smtp.attempts === before + 4)
    await invite(acme)
    expect(await worker.database.read.selectFrom('mails').select('id').execute()).toHaveLength(11)
    await stopWorkers()
    expect(smtp.attempts, 'only four at a time').toBe(before + 4)
    smtp.reply = 250
    harness.advance(5 * MINUTE_MS)
    await startWorker()
    await allSettled()
  })
})

test('after a crash between sending and storing that, it is sent once more, with the same Message-ID', async () => {
  const { email } = await invite(await harness.createTenant())
  const [waiting] = await rows()
  const claimed = await claimMail(services(), waiting?.cause_id as string, harness.nowMs())
  const mailer = await Mailer.open(smtp.settings)
  await mailer.send({ id: claimed?.id as string, to: email, letter: claimed?.letter as never })
  mailer.close()
  await startWorker()
  expect(await rows(), 'leased').toHaveLength(1)
  harness.advance(2 * MINUTE_MS)
  await allSettled()
  const ids = smtp.to(email).map(({ headers }) => headers.get('message-id')?.[0])
  expect(ids).toHaveLength(2)
  expect(new Set(ids).size).toBe(1)
})

test('one organisation with many waiting mails does not delay another', async () => {
  const [busy, other] = [await harness.createTenant(), await harness.createTenant()]
  await inviteMany(busy.orgId, 50)
  const [email] = await inviteMany(other.orgId, 1)
  const before = smtp.received.length
  await startWorker()
  await eventually(() => smtp.to(email as string).length === 1)
  const position = smtp.received.findIndex(({ to }) => to.includes(email as string)) - before
  expect(position).toBeLessThan(8)
  await allSettled()
  expect(smtp.received.length - before).toBe(51)
  expect(smtp.openMax).toBeLessThanOrEqual(4)
})

test('an organisation has a limited number of waiting mails, and of mails to one address', async () => {
  const acme = await harness.createTenant()
  await inviteMany(acme.orgId, 500)
  const refused = await acme.post('/v1/team/invitations', { email: 'x@acme.com', role_id: getRole('agent').id })
  expect(refused).toMatchObject({ status: 422, body: { error: 'unprocessable' } })
  expect((await acme.get('/v1/team/invitations')).body.total).toBe(0)
  await database().kysely.deleteFrom('mails').execute()

  const statuses: number[] = []
  for (let n = 0; n < 6; n++) {
    const created = await acme.post('/v1/team/invitations', { email: 'y@acme.com', role_id: getRole('agent').id })
    statuses.push(created.status)
    if (created.status === 201) await acme.delete(`/v1/team/invitations/${created.body.id}`)
  }
  expect(statuses).toEqual([201, 201, 201, 201, 201, 422])
  const toAnother = await acme.post('/v1/team/invitations', { email: 'z@acme.com', role_id: getRole('agent').id })
  expect(toAnother.status).toBe(201)
  await database().kysely.deleteFrom('mails').execute()
})

test.runIf(inject('engine') === 'postgres')('of several workers, one sends each mail', async () => {
  const tenants = await Promise.all(Array.from({ length: 5 }, () => harness.createTenant()))
  for (let index = 0; index < 3; index++) await startWorker()
  const emails = (await Promise.all(tenants.map(({ orgId }) => inviteMany(orgId, 10)))).flat()
  await allSettled()
  expect(emails.map((email) => smtp.to(email).length)).toEqual(emails.map(() => 1))
})

test('a mail that only a newer release knows waits for it, and holds up no other', async () => {
  const { orgId } = await harness.createTenant()
  const [email = ''] = await inviteMany(orgId, 1)
  const [row] = await rows()
  const unknown = { ...row, id: newId(), kind: 'of_tomorrow', due_at: row?.created_at as string }
  await database()
    .kysely.insertInto('mails')
    .values(unknown as never)
    .execute()
  await startWorker()
  await eventually(() => smtp.to(email).length === 1)
  await eventually(async () => (await rows()).length === 1)
  expect(await rows()).toMatchObject([{ kind: 'of_tomorrow' }])
  await database().kysely.deleteFrom('mails').execute()
})

test('without an SMTP server nothing is written, and nothing is sent', async () => {
  const worker = await startWorker({ mail: undefined })
  const mails = new Mails({
    keyring: worker.keyring,
    limiter: createRateLimiter(worker.database),
    people: organisationPeople,
    canSend: false,
  })
  const { orgId } = await harness.createTenant()
  const now = timestamp(harness.nowMs())
  const to = { email: 'a@acme.com', language: null }
  await database().write((tx) => mails.toOutsider(tx, { orgId }, to, invitationMails.invitation, { token: 'x' }, now))
  expect(await rows()).toEqual([])
})

test('metrics count what was sent and what waits', async () => {
  const acme = await harness.createTenant()
  await inviteMany(acme.orgId, 2)
  const worker = await startWorker({ metricsPort: 0 })
  await allSettled()
  const metrics = await (await fetch(`http://127.0.0.1:${worker.metricsPort}/metrics`)).text()
  expect(metrics).toContain('waymark_mails_total{outcome="sent"} 2')
  expect(metrics).toContain('waymark_mails_waiting 0')
})
