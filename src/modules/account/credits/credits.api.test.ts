import { describe, expect, test } from 'vitest'
import { timestamp } from '../../../platform/clock/index.ts'
import { ConstraintViolation } from '../../../platform/db/failures.ts'
import { newId } from '../../../platform/ids/index.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type Tenant, useMailingHarness } from '../../../testing/harness.ts'
import { Mails } from '../../mail/mails/index.ts'
import { addMember, organisationPeople } from '../members/index.ts'
import { createUser } from '../users/index.ts'
import { Credits, setBalance, setUnlimited } from './index.ts'

const { harness, smtp } = await useMailingHarness({
  config: { credits: { isMetered: true, starting: 1000, low: 100 } },
})

const database = () => harness.service.database
const now = () => timestamp(harness.nowMs())
const setCredits = ({ orgId }: Tenant, balance: number) =>
  database().write((tx) => setBalance(tx, orgId, balance, now()))
const unlimited = ({ orgId }: Tenant) => database().write((tx) => setUnlimited(tx, orgId, now()))
const balanceOf = async (tenant: Tenant): Promise<number> => (await tenant.get('/v1/credits')).body.balance
const entriesOf = async (tenant: Tenant): Promise<any[]> =>
  (await tenant.get('/v1/credits/entries?limit=100')).body.data

function spend(
  { orgId }: Tenant,
  amount: number,
  messageId: string | null = newId(),
  asker: 'visitor' | 'team' = 'team',
): Promise<void> {
  const limiter = { take: () => Promise.reject(new Error('these mails have no limit')) }
  const mails = new Mails({
    keyring: harness.service.keyring,
    limiter,
    people: organisationPeople,
    canSend: true,
  } as never)
  const credits = new Credits({ mails, lowCredits: 100, isMetered: true })
  return database().write((tx) => credits.spend(tx, orgId, amount, { messageId, asker }, now()), orgId)
}

/** Owners in two languages, and a member who is no owner. */
async function createOwners({ orgId }: Tenant): Promise<string[]> {
  const person = async (role: 'owner' | 'manager', language: string) => {
    const email = `${newId()}@acme.example`
    await database().write(async (tx) => {
      const fields = { email, first_name: null, last_name: null, passwordHash: null, language }
      const { id } = await createUser(tx, fields, now())
      await addMember(tx, orgId, id, role, now())
    })
    return email
  }
  await person('manager', 'en')
  return [await person('owner', 'en'), await person('owner', 'de')]
}

test('an entry names the message, and entries add up to the balance', async () => {
  const acme = await harness.createTenant()
  const message = newId()
  await spend(acme, 3, message)
  await spend(acme, 1, null)
  await spend(acme, 0)
  const entries = await entriesOf(acme)
  expect(entries).toMatchObject([
    { amount: -1, balance: 996, reason: 'answer', message_id: null },
    { amount: -3, balance: 997, reason: 'answer', message_id: message },
    { amount: 1000, balance: 1000, reason: 'adjustment', message_id: null },
  ])
  expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(await balanceOf(acme))
})

test('entries are in the order of their balances, even when clocks differ', async () => {
  const acme = await harness.createTenant()
  await spend(acme, 1)
  harness.advance(-60_000)
  await spend(acme, 1)
  harness.advance(60_000)
  await Promise.all(Array.from({ length: 8 }, () => spend(acme, 1)))
  const entries = await entriesOf(acme)
  expect(entries.map(({ balance }) => balance)).toEqual([990, 991, 992, 993, 994, 995, 996, 997, 998, 999, 1000])
  expect(new Set(entries.map(({ created_at }) => created_at)).size).toBe(entries.length)
})

test('an answer is charged once', async () => {
  const acme = await harness.createTenant()
  const message = newId()
  await spend(acme, 1, message)
  await expect(spend(acme, 1, message)).rejects.toThrow(ConstraintViolation)
  expect(await balanceOf(acme)).toBe(999)
})

test('more than there is cannot be spent, and the transaction leaves nothing behind', async () => {
  const acme = await harness.createTenant()
  await setCredits(acme, 5)
  await expect(spend(acme, 6)).rejects.toMatchObject({ code: 'insufficient_credits', status: 422 })
  const results = await Promise.allSettled(Array.from({ length: 6 }, () => spend(acme, 2)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  expect(await balanceOf(acme)).toBe(1)
  expect((await entriesOf(acme)).filter(({ reason }) => reason === 'answer')).toHaveLength(2)
})

test('visitors cannot spend the last tenth of what was set, at most 50 credits', async () => {
  const acme = await harness.createTenant()
  const ask = (amount: number) => spend(acme, amount, newId(), 'visitor')
  await spend(acme, 945)
  await Promise.allSettled(Array.from({ length: 8 }, () => ask(1)))
  expect(await balanceOf(acme)).toBe(50)
  await expect(ask(1)).rejects.toMatchObject({ code: 'insufficient_credits' })
  await spend(acme, 50)
  await setCredits(acme, 20)
  await ask(18)
  await expect(ask(1)).rejects.toMatchObject({ code: 'insufficient_credits' })
  await setCredits(acme, 9)
  await ask(9)
  expect(await balanceOf(acme)).toBe(0)
})

test('an organisation can be unlimited although others are metered, and its balance waits', async () => {
  const acme = await harness.createTenant()
  await unlimited(acme)
  const get = async () => (await acme.get('/v1/credits')).body
  expect(await get()).toMatchObject({ balance: null, unlimited: true })
  const before = await get()
  await unlimited(acme)
  expect(await get()).toEqual(before)
  expect(await entriesOf(acme)).toHaveLength(1)
  await setCredits(acme, 1000)
  expect(await get()).toMatchObject({ balance: 1000, unlimited: false })
  expect(await entriesOf(acme)).toHaveLength(1)
})

describe('when few credits are left', () => {
  const subjectsTo = (email: string) =>
    smtp.received.filter(({ to }) => to.includes(email)).map(({ subject }) => subject)

  test('owners get one mail below 100 and one at 0, in their language, and the audit log has both', async () => {
    const acme = await harness.createTenant()
    const { name } = (await acme.get('/v1/organisation')).body
    const [english, german] = (await createOwners(acme)) as [string, string]
    const mailsBefore = smtp.received.length
    await setCredits(acme, 102)
    await spend(acme, 2)
    await Promise.all(Array.from({ length: 5 }, () => spend(acme, 1)))
    await spend(acme, 95)
    await eventually(async () => smtp.received.length === mailsBefore + 4)
    expect(subjectsTo(english).sort()).toEqual([`${name} has no credits left`, `${name} is running low on credits`])
    expect(subjectsTo(german).sort()).toEqual([`${name} hat keine Credits mehr`, `${name} hat nur noch wenige Credits`])
    const low = smtp.received.find(({ to, subject }) => to.includes(english) && subject.includes('low'))
    expect(low?.text).toContain('Credits left: 99.')
    const { data } = (await acme.get('/v1/audit-log')).body
    const noted = data.filter(({ action }: any) => /credit_balance\.(low|empty)/.test(action))
    expect(noted).toMatchObject([
      { action: 'credit_balance.empty', actor: { type: 'system' }, changes: { balance: { from: 95, to: 0 } } },
      { action: 'credit_balance.low', actor: { type: 'system' }, changes: { balance: { from: 100, to: 99 } } },
    ])
  })

  test('they are told again after credits were added, and not about what the operator does', async () => {
    const acme = await harness.createTenant()
    const [english] = (await createOwners(acme)) as [string]
    for (const balance of [1, 0, 200, 100]) await setCredits(acme, balance)
    await spend(acme, 100)
    await setCredits(acme, 500)
    await spend(acme, 500)
    await eventually(async () => subjectsTo(english).length === 2)
    for (const subject of subjectsTo(english)) expect(subject).toContain('no credits left')
  })

  test('they are told once when visitors have used their part', async () => {
    const acme = await harness.createTenant()
    const [english] = (await createOwners(acme)) as [string]
    await setCredits(acme, 60)
    await Promise.allSettled(Array.from({ length: 20 }, () => spend(acme, 3, newId(), 'visitor')))
    await eventually(async () => subjectsTo(english).length === 1)
    expect(subjectsTo(english)[0]).toContain('no longer answer visitors')
    expect(smtp.received.find(({ to }) => to.includes(english))?.text).toContain('Credits left: 6.')
  })

  test('a transaction that rolls back sends nothing', async () => {
    const acme = await harness.createTenant()
    await createOwners(acme)
    await setCredits(acme, 100)
    const message = newId()
    await spend(acme, 1, message)
    await setCredits(acme, 100)
    await expect(spend(acme, 1, message)).rejects.toThrow(ConstraintViolation)
    const mails = await database()
      .kysely.selectFrom('audit_log')
      .select('action')
      .where('org_id', '=', acme.orgId)
      .execute()
    expect(mails.filter(({ action }) => action === 'credit_balance.low')).toHaveLength(1)
  })
})
