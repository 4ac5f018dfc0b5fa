import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock, timestamp } from '../../platform/clock/index.ts'
import { openDatabase } from '../../platform/db/open.ts'
import type { Database } from '../../platform/db/types.ts'
import { newId } from '../../platform/ids/index.ts'
import { Keyring, rotateSecrets } from '../../platform/keyring/index.ts'
import { resealStored } from '../../platform/keyring/reseal.ts'
import { createDatabase, type TestDatabase } from '../../testing/engines/database.ts'
import { eventually } from '../../testing/eventually.ts'
import { useHarness } from '../../testing/harness.ts'
import { runCommand, type Settings, settingsFor } from '../../testing/process.ts'
import { SEALED_COLUMNS } from '../sealed-columns.ts'
import { followSecrets } from '../wiring/secrets.ts'

const harness = useHarness({ role: 'api' })

/** A connection as commands have it, beside the service. */
let database: Database
beforeAll(async () => {
  database = await openDatabase(harness.location)
})
afterAll(() => database.close())

const FIRST = 'a secret of sixteen or more'
const OTHER = 'quite another secret'
/** More than one batch. */
const RESPONSES = 45

const waymark = (args: string, keys: Settings = {}) =>
  runCommand(['secret', ...args.split(' '), '--json'], { ...settingsFor(harness), ...keys })
const done = async (args: string, keys?: Settings) => {
  const { code, json, stderr } = await waymark(args, keys)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return json
}
const refused = async (args: string, keys?: Settings) => {
  const { code, json } = await waymark(args, keys)
  expect(code).toBe(1)
  return json.error.message as string
}

/** All sealed values of the database. */
async function sealedValues(): Promise<string[]> {
  const values = Object.entries(SEALED_COLUMNS).flatMap(([table, columns]) =>
    columns.map(async (column) => {
      const { rows } = await sql<{ value: string | null }>`
        select ${sql.ref(column)} as value from ${sql.table(table)}`.execute(database.kysely)
      return rows.flatMap(({ value }) => value ?? [])
    }),
  )
  return (await Promise.all(values)).flat()
}
const generationsInUse = async () => new Set((await sealedValues()).map((value) => Number(value.split('.')[0])))

/** An organisation with everything that is stored sealed. */
async function createSealed() {
  const { keyring } = harness.service
  const acme = await harness.createTenant()
  const url = 'https://hooks.acme.example/in'
  const { body: endpoint } = await acme.post('/v1/webhooks', { url, events: ['qr_code.scanned'] })
  const rotated = await acme.post(`/v1/webhooks/${endpoint.id}/rotate-secret`, {})
  expect(rotated.status).toBe(200)
  const create = (n: number) => acme.post('/v1/article-tags', { name: `Tag ${n}` }, { 'idempotency-key': `tag-${n}` })
  const created = await Promise.all(Array.from({ length: RESPONSES }, (_, n) => create(n)))
  const { userId } = await harness.createPerson(acme, 'owner')
  const now = timestamp(systemClock())
  await database.write(async (tx) => {
    const seed = { user_id: userId, seed: keyring.seal('a seed'), last_step: 0, created_at: now }
    await tx.insertInto('totp_secrets').values(seed).execute()
    const times = { due_at: now, expires_at: '2999-01-01T00:00:00.000+00:00', created_at: now } as const
    const mail = { kind: 'invitation', language: 'en', recipient: 'kim@acme.com', attempts: 0, subject_id: null }
    const values = { ...mail, ...times, id: newId(), cause_id: acme.orgId, sealed_values: keyring.seal('{}') }
    await tx
      .insertInto('mails')
      .values(values as never)
      .execute()
  })
  return { acme, create, created, secret: rotated.body.signing_secret as string }
}

test('rotate seals everything that is stored with the new secret, while the service runs', async () => {
  const { keyring } = harness.service
  const { acme, create, created } = await createSealed()
  const before = await generationsInUse()
  const [rotated, ...meanwhile] = await Promise.all([
    done('rotate'),
    ...[1, 2, 3].map((n) => acme.post('/v1/article-tags', { name: `Meanwhile ${n}` })),
  ])
  expect(meanwhile.map(({ status }) => status)).toEqual([201, 201, 201])
  expect(rotated).toMatchObject({ generation: Math.max(...before) + 1, unreadable: 0, secret_key_replaced: false })
  expect(rotated.values).toBeGreaterThanOrEqual(RESPONSES + 4)
  expect(await generationsInUse()).toEqual(new Set([rotated.generation]))
  for (const value of await sealedValues()) await keyring.open(value, database.read, harness.nowMs())
  const replayed = await create(7)
  expect([replayed.status, replayed.body]).toEqual([201, created[7]?.body])
})

test('a rotation that was killed is completed by the next one, and leaves a value alone that nothing opens', async () => {
  const { acme } = await createSealed()
  const nonsense = sql`update idempotent_answers set body = '1.nonsense' where key = 'tag-0' and org_id = ${acme.orgId}`
  await nonsense.execute(database.kysely)
  const { generation } = await rotateSecrets(database, {}, systemClock())
  const keyring = await Keyring.load(database, {}, systemClock())
  let writes = 0
  const killed: Database = {
    ...database,
    write: (work, orgId) => (++writes > 1 ? Promise.reject(new Error('killed')) : database.write(work, orgId)),
  }
  await expect(resealStored(killed, keyring, SEALED_COLUMNS, systemClock())).rejects.toThrow('killed')
  const halfway = await generationsInUse()
  expect(halfway.has(generation)).toBe(true)
  expect(halfway.size).toBeGreaterThan(1)
  const completed = await done('rotate')
  expect(completed.unreadable).toBe(1)
  expect(await generationsInUse()).toEqual(new Set([1, completed.generation]))
  await sql`delete from idempotent_answers where body = '1.nonsense'`.execute(database.kysely)
})

test('a worker seals what others have sealed with the former secret until they noticed the new one', async () => {
  const { keyring } = harness.service
  await createSealed()
  const worker = await Keyring.load(database, {}, systemClock())
  const { generation } = await done('rotate')
  const seed = keyring.seal('a late seed')
  expect(seed.startsWith(`${generation}.`)).toBe(false)
  await database.write((tx) => tx.updateTable('totp_secrets').set({ seed }).execute())
  const log = { error: () => {} } as never
  const stop = followSecrets({ config: {} as never, keyring: worker, database, clock: systemClock, log }, true, 5)
  await eventually(async () => {
    const generations = await generationsInUse()
    return generations.size === 1 && generations.has(generation)
  })
  await stop()
})

test('set, rotate and remove lead from no SECRET_KEY to one, to another, and back, and say what is missing', async () => {
  const { acme, create, created, secret } = await createSealed()
  expect(await refused('set')).toContain('`npx waymark secret set`')
  expect(await refused('rotate', { SECRET_KEY: FIRST })).toContain('`npx waymark secret set`')
  expect(await done('remove', { SECRET_KEY: FIRST })).toEqual({ changed: false })
  expect(await done('set', { SECRET_KEY: FIRST })).toEqual({ changed: true })
  expect(await done('set', { SECRET_KEY: FIRST })).toEqual({ changed: false })
  for (const command of ['rotate', 'remove']) expect(await refused(command)).toContain('none is set')
  for (const command of ['set', 'rotate', 'remove']) {
    expect(await refused(command, { SECRET_KEY: OTHER })).toContain('SECRET_KEY is not the one')
  }
  const replacing = { SECRET_KEY: OTHER, SECRET_KEY_OLD: FIRST }
  expect(await refused('set', replacing)).toContain('`npx waymark secret rotate`')
  expect((await create(1)).body, 'the running service goes on').toEqual(created[1]?.body)

  const { generation, secret_key_replaced } = await done('rotate', replacing)
  expect(secret_key_replaced).toBe(true)
  expect(await generationsInUse()).toEqual(new Set([generation]))
  const after = await Keyring.load(database, { secretKey: OTHER }, systemClock())
  const values = await Promise.all(
    (await sealedValues()).map((value) => after.open(value, database.read, systemClock())),
  )
  expect(values).toContain(secret)
  // The service has no SECRET_KEY: it cannot read the new secret, and says so.
  expect((await create(2)).status).toBe(503)
  expect((await acme.get('/readyz')).body.reason).toContain('SECRET_KEY of this instance')

  expect(await done('remove', { SECRET_KEY: OTHER })).toEqual({ changed: true })
  await harness.service.keyring.reload(database.read, systemClock())
  expect((await create(2)).body).toEqual(created[2]?.body)
  expect((await acme.get('/readyz')).status).toBe(200)
})

test('set works on a database that nobody has used, before the first start', async () => {
  const empty: TestDatabase = await createDatabase()
  const settings = { ...settingsFor(empty), SECRET_KEY: FIRST }
  expect((await runCommand(['secret', 'set', '--json'], settings)).json).toEqual({ changed: true })
  const opened = await openDatabase(empty.location)
  await expect(Keyring.load(opened, {}, systemClock())).rejects.toThrow('none is set')
  await opened.close()
  await empty.drop()
})
