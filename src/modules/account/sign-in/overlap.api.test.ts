/** What was proved counts only if it still does when a session starts: somebody may set a new password at that moment. */
import { beforeAll, expect, test } from 'vitest'
import { timestamp } from '../../../platform/clock/index.ts'
import { PasswordHasher } from '../../../platform/passwords/index.ts'
import { createRateLimiter } from '../../../platform/rate-limit/index.ts'
import { createLogger } from '../../../platform/telemetry/logging.ts'
import { useHarness } from '../../../testing/harness.ts'
import { Mails } from '../../mail/mails/index.ts'
import { AddressProofs } from '../address-proofs/index.ts'
import { Proofs, Tickets } from '../factors/index.ts'
import { addMember, organisationPeople } from '../members/index.ts'
import { createLink } from '../one-time-links/index.ts'
import { Passwords } from '../passwords/index.ts'
import { listSessions, startSession } from '../sessions/index.ts'
import { createUser, deactivateUser, type User } from '../users/index.ts'
import { Attempts, Confirm, SignIn } from './index.ts'

const harness = useHarness({ role: 'api' })

const COST = { memory: 1024, passes: 1, parallelism: 1 }
const PASSWORD = 'lamp river seven'
const NEW_PASSWORD = 'boat orange nine'
const ORIGIN = { address: '192.0.2.7', device: 'Firefox, Linux' }
const PLACE = { origin: ORIGIN, browser: 'browser', knownUserId: undefined, language: 'en' }
const now = () => timestamp(harness.nowMs())

/** Lets something happen between the check of a password and what follows. */
class OverlappedHasher extends PasswordHasher {
  meanwhile: () => Promise<unknown> = async () => undefined

  override async verify(...sent: Parameters<PasswordHasher['verify']>): Promise<boolean> {
    const isRight = await super.verify(...sent)
    await this.meanwhile()
    return isRight
  }
}

const passwords = new OverlappedHasher(undefined, COST)

function services() {
  const { database, keyring } = harness.service
  const mails = new Mails({ keyring, limiter: createRateLimiter(database), people: organisationPeople, canSend: false })
  const tickets = new Tickets(database, keyring)
  return {
    database,
    passwords,
    proofs: new Proofs(database, keyring, tickets),
    tickets,
    addresses: new AddressProofs(database, mails),
    attempts: new Attempts(),
    mails,
    cleanUpAfterGrant: async () => {},
    log: createLogger('silent'),
  }
}

let people = 0
let hash: string
beforeAll(async () => {
  hash = await new PasswordHasher(undefined, COST).hash(PASSWORD, 'test')
})

async function createPerson(passwordHash = hash): Promise<User> {
  const acme = await harness.createTenant()
  return harness.service.database.write(async (tx) => {
    const person = { email: `overlap-${++people}@acme.com`, first_name: null, last_name: null, passwordHash }
    const user = await createUser(tx, person, now())
    await addMember(tx, acme.orgId, user.id, 'owner', now())
    return user
  })
}

async function reset({ id }: User) {
  const token = await harness.service.database.write((tx) => createLink(tx, 'reset_password', { userId: id }, now()))
  const hasher = new PasswordHasher(undefined, COST)
  const place = { origin: ORIGIN, browser: 'other' }
  const result = await new Passwords({ ...services(), passwords: hasher }).reset(
    token,
    NEW_PASSWORD,
    place,
    harness.nowMs(),
  )
  expect(result.kind).toBe('reset')
}

const signIn = ({ email }: User, password = PASSWORD) =>
  new SignIn(services()).signIn({ ...PLACE, email, password }, harness.nowMs())
const sessionsOf = async ({ id }: User) => (await listSessions(harness.service.database.read, id, now())).length

async function inSession(user: User) {
  const { expiresAt } = await harness.service.database.write((tx) => startSession(tx, user.id, null, ORIGIN, now()))
  const [session] = await listSessions(harness.service.database.read, user.id, now())
  return { person: { id: session?.id as string, user_id: user.id, expires_at: expiresAt } }
}

test('a sign-in that overlaps with a new password starts no session', async () => {
  const user = await createPerson()
  passwords.meanwhile = () => reset(user)
  expect((await signIn(user)).kind).toBe('refused')
  expect(await sessionsOf(user), 'the session of the one who has reset it').toBe(1)
})

test('of many that are sent at the same moment, none is left', async () => {
  const user = await createPerson()
  passwords.meanwhile = async () => undefined
  const attempts = Array.from({ length: 4 }, () => signIn(user))
  await Promise.all([...attempts, reset(user)])
  expect(await sessionsOf(user)).toBe(1)
})

test('a sign-in that overlaps with a deactivation starts no session', async () => {
  const user = await createPerson()
  passwords.meanwhile = () => harness.service.database.write((tx) => deactivateUser(tx, user.id, now(), now()))
  expect((await signIn(user)).kind).toBe('refused')
  expect(await sessionsOf(user)).toBe(0)
})

test('a sign-in with an outdated hash does not bring the old password back', async () => {
  const outdated = await new PasswordHasher(undefined, { ...COST, passes: 2 }).hash(PASSWORD, 'test')
  const user = await createPerson(outdated)
  passwords.meanwhile = () => reset(user)
  expect((await signIn(user)).kind).toBe('refused')
  passwords.meanwhile = async () => undefined
  expect((await signIn(user)).kind).toBe('refused')
  expect((await signIn(user, NEW_PASSWORD)).kind).toBe('signed_in')
})

test('a change of the password that overlaps with a new one changes nothing', async () => {
  const user = await createPerson()
  const { person } = await inSession(user)
  passwords.meanwhile = () => reset(user)
  const change = { current: PASSWORD, next: 'thief likes bikes', endsGrants: false }
  const place = { origin: ORIGIN, knownUserId: undefined }
  const result = await new Passwords(services()).change(person, change, place, harness.nowMs())
  expect(result).toBe('wrong_password')
  passwords.meanwhile = async () => undefined
  expect((await signIn(user, NEW_PASSWORD)).kind).toBe('signed_in')
})

test('a person who proves again who they are does not keep a session that has ended meanwhile', async () => {
  const user = await createPerson()
  const { person } = await inSession(user)
  passwords.meanwhile = () => reset(user)
  const sent = { password: PASSWORD, code: '' }
  const place = { origin: ORIGIN, knownUserId: undefined }
  expect((await new Confirm(services()).confirm(person, sent, place, harness.nowMs())).kind).toBe('refused')
  expect(await sessionsOf(user)).toBe(1)
})
