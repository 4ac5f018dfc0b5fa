import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addMember } from '../../modules/account/members/index.ts'
import { createOrganisation } from '../../modules/account/organisations/index.ts'
import { createUser } from '../../modules/account/users/index.ts'
import { systemClock, timestamp } from '../../platform/clock/index.ts'
import { openDatabase } from '../../platform/db/open.ts'
import type { Database } from '../../platform/db/types.ts'
import type { S3Settings } from '../../platform/files/s3-store.ts'
import { newId } from '../../platform/ids/index.ts'
import { adoptSecretKey, Keyring, rotateSecrets } from '../../platform/keyring/index.ts'
import { createDatabase, type TestDatabase } from '../../testing/engines/database.ts'
import { killProcesses, runCommand, type Settings, settingsFor } from '../../testing/process.ts'
import { API_KEY, MODEL, SMALL_MODEL, TestModelServer } from '../../testing/world/model-server.ts'
import { TestS3Server } from '../../testing/world/s3-server.ts'
import type { DoctorCheck } from '../doctor/check.ts'

const SECRET_KEY = 'a secret of sixteen or more'

let database: TestDatabase
let opened: Database

beforeAll(async () => {
  database = await createDatabase()
  opened = await openDatabase(database.location)
  await Keyring.load(opened, {}, systemClock())
  const now = timestamp(systemClock())
  await opened.write(async (tx) => {
    const { id } = await createOrganisation(tx, { name: 'Acme', slug: 'acme' }, now)
    const person = { email: 'kim@acme.com', first_name: null, last_name: null, passwordHash: null }
    await addMember(tx, id, (await createUser(tx, person, now)).id, 'owner', now)
  })
  await sql`insert into article_tags (id, org_id, name, name_folded, created_at)
    select id, id, 'Tag', 'tag', created_at from organisations`.execute(opened.kysely)
})

afterAll(async () => {
  await killProcesses()
  await opened.close()
  await database.drop()
})

const examine = async (settings: Settings = settingsFor(database)) => {
  const { code, json } = await runCommand(['doctor', '--json'], settings)
  expect(json.ok).toBe(code === 0)
  return json.checks as DoctorCheck[]
}
const failedChecks = async (settings?: Settings) => (await examine(settings)).filter(({ ok }) => !ok)
const failure = (name: string, detail: string) => [
  { name, ok: false, detail: expect.stringContaining(detail), remedy: expect.stringMatching(/^.+\.$/) },
]
const execute = (statement: ReturnType<typeof sql>) => statement.execute(opened.kysely)

test('passes all checks on a healthy installation and changes nothing', async () => {
  const [checks, { code, stdout }] = await Promise.all([
    examine({ ...settingsFor(database), SECRET_KEY }),
    runCommand(['doctor'], { ...settingsFor(database), PUBLIC_URL: 'https://go.acme.example' }),
  ])
  expect(checks.filter(({ ok }) => !ok)).toEqual([])
  const names = ['Node', 'Settings', 'PUBLIC_URL', 'Data folder', 'Permissions', 'Database', 'Migrations', 'SECRET_KEY']
  expect(checks.map(({ name }) => name)).toEqual([
    ...[...names, 'Owner', 'Stored files', 'Custom domains', 'Name servers', 'Credits', 'Clock', 'Integrity', 'Totals'],
  ])
  const engine = database.engine === 'sqlite' ? /^SQLite 3\.\d+.* synchronous full$/ : /^PostgreSQL \d+.* fsync on/
  expect(checks.find(({ name }) => name === 'Database')?.detail).toMatch(engine)
  const { rows } = await sql`select wrapped from keyring`.execute(opened.kysely)
  expect(rows, 'the check did not encrypt the keyring').toEqual([{ wrapped: false }])

  expect(code).toBe(0)
  // Nobody answers at the address, because no service runs. This machine may have no network, and not know of its clock.
  expect(stdout.replaceAll(/^! (Address go\.acme\.example|Name servers|Clock): .+\n {4}.+\n/gm, '')).toMatch(
    /^(✓ \w.*: .+\n)+$/,
  )
})

test('warns of codes that lead to this machine only, without a failure', async () => {
  const { code, stdout } = await runCommand(['doctor'], settingsFor(database))
  expect(code).toBe(0)
  expect(stdout).toContain(
    '! PUBLIC_URL: codes lead to http://localhost:8080, which works only on this machine\n    Set it before you print a code.\n',
  )
})

test('reports totals that differ from the rows', async () => {
  const totals = await opened.kysely.selectFrom('row_totals').selectAll().execute()
  await execute(sql`update row_totals set total = total + 1`)
  expect(await failedChecks()).toEqual(failure('Totals', 'article_tags for 1 organisation'))
  await execute(sql`delete from row_totals`)
  const [failed, { code, stdout }] = await Promise.all([failedChecks(), runCommand(['doctor'], settingsFor(database))])
  expect(failed).toEqual(failure('Totals', 'article_tags for 1 organisation'))
  expect(code).toBe(1)
  expect(stdout).toMatch(/\n✗ Totals: .+\n {4}Back up and restore .+\n$/)
  await opened.kysely.insertInto('row_totals').values(totals).execute()
  expect(await failedChecks()).toEqual([])
})

test('says how SECRET_KEY fits the stored secrets, and how to go on', async () => {
  const other = await createDatabase()
  const theirs = await openDatabase(other.location)
  const check = async (keys: Settings) =>
    (await examine({ ...settingsFor(other), ...keys })).find(({ name }) => name === 'SECRET_KEY')
  const wrong = { SECRET_KEY: 'quite another secret' }
  const replacing = { ...wrong, SECRET_KEY_OLD: SECRET_KEY }
  expect(await check({ SECRET_KEY })).toMatchObject({ ok: true, detail: 'set; the database has no secrets yet' })
  await Keyring.load(theirs, {}, systemClock())
  expect(await check({})).toMatchObject({ ok: true, detail: expect.stringContaining('not encrypted') })
  expect(await check({ SECRET_KEY })).toMatchObject({
    ok: true,
    detail: 'set, but the stored secrets are not encrypted with it yet',
    remedy: expect.stringContaining('`npx waymark secret set`'),
  })
  await adoptSecretKey(theirs, { secretKey: SECRET_KEY })
  const [matching, missing, mismatch, former] = await Promise.all([{ SECRET_KEY }, {}, wrong, replacing].map(check))
  expect(matching).toEqual({ name: 'SECRET_KEY', ok: true, detail: 'matches the stored secrets' })
  expect(missing).toMatchObject({ ok: false, detail: expect.stringContaining('not set'), remedy: expect.any(String) })
  expect(mismatch).toMatchObject({ ok: false, detail: expect.stringContaining('does not match') })
  expect(mismatch?.remedy).toContain('SECRET_KEY_OLD')
  expect(former).toMatchObject({ ok: true, remedy: expect.stringContaining('`npx waymark secret rotate`') })
  await rotateSecrets(theirs, { secretKey: wrong.SECRET_KEY, oldSecretKey: SECRET_KEY }, systemClock())
  expect(await check(replacing)).toMatchObject({ ok: true, remedy: expect.stringContaining('not needed any more') })
  await theirs.close()
  await other.drop()
})

test('names the command that makes the first owner of an installation without one', async () => {
  const check = async () => (await examine()).find(({ name }) => name === 'Owner')
  expect(await check()).toEqual({ name: 'Owner', ok: true, detail: expect.any(String) })
  await execute(sql`update members set role = 'admin'`)
  expect(await check()).toMatchObject({
    ok: true,
    remedy: expect.stringContaining('npx waymark user create --org acme --email you@example.com --role owner'),
  })
  await execute(sql`update members set role = 'owner'`)
})

test('reports the data folder and files in it that other users have access to', async () => {
  const modes: [string, number][] = [[database.folder, 0o700]]
  if ('file' in database.location) modes.push([database.location.file, 0o600])
  for (const [path, mode] of modes) await chmod(path, mode | 0o044)
  const paths = modes.map(([path]) => path).join(', ')
  expect(await failedChecks()).toEqual(failure('Permissions', `other users have access to ${paths}`))
  for (const [path, mode] of modes) await chmod(path, mode)
})

test('reports damage in the database', async () => {
  if (database.engine === 'postgres') {
    const index = sql`'article_tags_org_created_idx'::regclass`
    await execute(sql`update pg_index set indisvalid = false where indexrelid = ${index}`)
    expect(await failedChecks()).toEqual(failure('Integrity', 'article_tags_org_created_idx'))
    await execute(sql`update pg_index set indisvalid = true where indexrelid = ${index}`)
  } else {
    await execute(sql`pragma foreign_keys = off`)
    await execute(sql`insert into tombstones values (${newId()}, ${newId()}, 'tag', '2026-01-01T00:00:00.000+00:00')`)
    expect(await failedChecks()).toEqual(
      failure('Integrity', 'tombstones has rows that refer to missing rows of organisations'),
    )
    await execute(sql`delete from tombstones`)
    await execute(sql`pragma foreign_keys = on`)
  }
})

test('reports pending migrations and migrations of a newer version', async () => {
  const time = '2026-01-01T00:00:00.000Z'
  await execute(sql`insert into migrations (name, timestamp) values ('9999_future', ${time})`)
  expect(await failedChecks()).toEqual(failure('Migrations', '9999_future'))
  await execute(sql`delete from migrations where name in ('9999_future', '0003_custom_domains')`)
  expect(await failedChecks()).toEqual(failure('Migrations', 'not applied yet: 0003_custom_domains'))
  await execute(sql`insert into migrations (name, timestamp) values ('0003_custom_domains', ${time})`)
  expect(await failedChecks()).toEqual([])
})

test('reports that nobody can point a domain to an installation without a name', async () => {
  await execute(sql`insert into custom_domains (id, org_id, domain, token, created_at)
    select id, id, 'id.acme.com', 'abc', created_at from organisations`)
  const nameless = settingsFor(database)
  const named = { ...nameless, PUBLIC_URL: 'https://go.waymark.example', DOMAIN_A: '192.0.2.10' }
  const [failed, passed] = await Promise.all([failedChecks(nameless), examine(named)])
  expect(failed).toEqual(
    failure('Custom domains', '1 domain connected, 0 verified; nobody can point them to localhost'),
  )
  expect(passed.find(({ name }) => name === 'Custom domains')).toMatchObject({
    ok: true,
    detail: '1 domain connected, 0 verified; subdomains point to go.waymark.example, apex domains to 192.0.2.10',
  })
  await execute(sql`delete from custom_domains`)
})

test('names organisations whose chatbots cannot answer, and the command that helps', async () => {
  const find = async (settings: Settings) => (await examine(settings)).find(({ name }) => name === 'Credits')
  const set = async (credits: string) => {
    const { code } = await runCommand(['org', 'set', 'acme', '--credits', credits], settingsFor(database))
    expect(code).toBe(0)
  }
  const metered = { ...settingsFor(database), CREDITS: 'metered' }
  const isMute = {
    ok: true,
    detail: expect.stringMatching(/no credits are left: acme$/),
    remedy: expect.stringContaining('org set SLUG --credits N'),
  }
  const [free, charged] = await Promise.all([find(settingsFor(database)), find(metered)])
  expect(free).toEqual({ name: 'Credits', ok: true, detail: 'answers of chatbots cost nothing' })
  expect(charged).toMatchObject(isMute)
  await set('0')
  expect(await find(settingsFor(database))).toMatchObject(isMute)
  await set('unlimited')
  expect(await find(metered)).toEqual({ name: 'Credits', ok: true, detail: 'answers of chatbots are charged' })
})

test('reports invalid settings and unusable databases, and creates no folder', async () => {
  const nowhere = 'postgres://localhost:1/waymark'
  const empty = join(database.folder, 'empty')
  const [invalid, unreachable, missing] = await Promise.all([
    failedChecks({ PORT: 'http' }),
    failedChecks({ DATABASE_URL: nowhere }),
    failedChecks({ DATA_DIR: empty }),
  ])
  expect(invalid).toEqual(failure('Settings', 'PORT must be a port number'))
  expect(unreachable).toEqual(failure('Database', 'Cannot use the database'))
  expect(missing).toEqual(failure('Database', `There is no database in ${empty}`))
  await expect(rm(empty), 'the folder was not created').rejects.toThrow('ENOENT')
})

describe('the store of files', () => {
  const toSettings = ({ endpoint, bucket, region, accessKeyId, secretAccessKey }: S3Settings): Settings => ({
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  })

  test('is written to and left as it was', async () => {
    const folder = join(database.folder, 'assets')
    await mkdir(folder, { mode: 0o700 })
    expect((await examine()).find(({ name }) => name === 'Stored files')).toMatchObject({
      ok: true,
      detail: `${folder} has 0 files, 0.0 GB`,
    })
    expect(await readdir(folder)).toEqual([])
    await rm(folder, { recursive: true })
    await writeFile(folder, 'not a folder', { mode: 0o600 })
    expect(await failedChecks()).toContainEqual(failure('Stored files', 'cannot be used')[0])
    await rm(folder)
  })

  test('can be a bucket, and a key or bucket that is wrong is reported without the key', async () => {
    const s3 = await TestS3Server.start()
    const check = async (changes: Partial<S3Settings>) =>
      (await examine({ ...settingsFor(database), ...toSettings({ ...s3.settings, ...changes }) })).find(
        ({ name }) => name === 'Stored files',
      )
    const [right, missing, wrong] = await Promise.all([
      check({}),
      check({ bucket: 'another' }),
      check({ accessKeyId: 'unknown-key', secretAccessKey: 'wrong-secret' }),
    ])
    expect(right).toMatchObject({ ok: true, detail: expect.stringContaining('bucket waymark') })
    expect(await s3.files()).toEqual([])
    expect(missing).toMatchObject({ ok: false, detail: expect.stringContaining('404') })
    expect(wrong).toMatchObject({ ok: false, detail: expect.stringContaining('403') })
    expect(JSON.stringify(wrong)).not.toContain('wrong-secret')
    await s3.close()
    expect(await check({})).toMatchObject({ ok: false })
  })
})

describe('language models', () => {
  test('are asked, and what is wrong is reported without the key', async () => {
    const server = await TestModelServer.start()
    const settings = {
      LLM_BASE_URL: server.settings.baseUrl,
      LLM_API_KEY: API_KEY,
      LLM_MODELS: `${MODEL}:7,${SMALL_MODEL}:2`,
      LLM_EMBEDDINGS_MODEL: 'acme-vectors',
    }
    const check = async (changes: Settings = {}) => {
      const checks = await examine({ ...settingsFor(database), ...settings, ...changes })
      const found = checks.find(({ name }) => name === 'Language model')
      expect(JSON.stringify(found)).not.toMatch(new RegExp(`${API_KEY}|wrong-key`))
      return found
    }
    server.reply = 'yes'
    expect(await check()).toMatchObject({
      ok: true,
      detail: expect.stringContaining(`answers: ${MODEL}, ${SMALL_MODEL}, acme-vectors`),
    })
    expect(server.requests.map(({ model }) => model)).toEqual([MODEL, SMALL_MODEL])
    expect(await check({ LLM_API_KEY: 'wrong-key-4712' })).toMatchObject({
      ok: false,
      detail: expect.stringContaining('401'),
      remedy: expect.stringContaining('LLM_API_KEY'),
    })
    server.embed = 500
    expect(await check()).toMatchObject({ ok: false, detail: expect.stringContaining('acme-vectors') })
    await server.close()
    expect(await check()).toMatchObject({ ok: false, remedy: expect.stringContaining('LLM_BASE_URL') })
  })
})
