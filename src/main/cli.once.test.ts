import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codeAt } from '../modules/account/factors/totp.ts'
import { systemClock } from '../platform/clock/index.ts'
import { openDatabase } from '../platform/db/open.ts'
import { UNUSABLE_EXIT_CODE } from '../platform/errors/operator-error.ts'
import { Keyring } from '../platform/keyring/index.ts'
import { createDatabase, type TestDatabase } from '../testing/engines/database.ts'
import { eventually } from '../testing/eventually.ts'
import { useHarness } from '../testing/harness.ts'
import { killProcesses, runCommand, runProcess, settingsFor } from '../testing/process.ts'
import { Visitor } from '../testing/visitor.ts'

describe('commands beside a running service', () => {
  const harness = useHarness()
  afterAll(killProcesses)

  const waymark = (...args: string[]) => runCommand(args, settingsFor(harness))
  const json = async (...args: string[]) => {
    const { code, stdout, stderr, json } = await waymark(...args, '--json')
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(stdout.trim().split('\n')).toHaveLength(1)
    return json
  }
  const expectRefusal = async (...args: string[]) => {
    const { code, stdout, stderr } = await waymark(...args)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^.+\n$/)
    return stderr
  }
  const errorOf = async (apiKey: string) => (await harness.client(apiKey).get('/v1/me')).body.error

  test('creates and lists an organisation, changes its limits, and the service applies its new rate limits', async () => {
    const acme = await json('org', 'create', '--name', ' Acme شركة 🏭 ', '--slug', 'acme')
    expect(acme).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Acme شركة 🏭',
      slug: 'acme',
      rate_per_minute: null,
      rate_per_hour: null,
      storage_bytes_max: null,
    })
    const [listed, asTable, { api_key }] = await Promise.all([
      json('org', 'list'),
      waymark('org', 'list'),
      json('key', 'create', '--org', 'acme', '--name', 'Limits'),
    ])
    expect(listed.data).toContainEqual(acme)
    expect(asTable.stdout).toMatch(/^SLUG .*\n(.*\n)*acme {2}Acme شركة 🏭/)
    expect(await json('org', 'set', 'acme', '--rate-per-minute', '1', '--rate-per-hour', '50')).toEqual({
      ...acme,
      rate_per_minute: 1,
      rate_per_hour: 50,
    })
    await eventually(async () => (await errorOf(api_key)) === 'rate_limited')
    expect(await json('org', 'set', 'acme', '--rate-per-minute', 'default')).toMatchObject({
      rate_per_minute: null,
      rate_per_hour: 50,
    })
    await eventually(async () => (await errorOf(api_key)) === undefined)

    const storage = await json('org', 'set', 'acme', '--storage', '10GiB')
    expect(storage).toEqual({ ...acme, rate_per_hour: 50, storage_bytes_max: 10 * 1024 ** 3 })
    expect((await waymark('org', 'list')).stdout).toMatch(/^SLUG .* STORAGE .*\n(.*\n)*acme .* 50 +10GiB /)
    expect((await waymark('org', 'set', 'acme', '--storage', 'default')).stdout).toBe(
      'Limits of acme: default requests per minute, 50 per hour, storage default.\n',
    )
  })

  test('renames an organisation; addresses with its earlier slug stay its own', async () => {
    const acme = await harness.createTenant()
    const gtin = '09506000134352'
    await acme.post('/v1/products', { name: 'Lamp', gtin, destination: { url: 'https://acme.example/lamp' } })
    const scan = async (slug: string) =>
      (await fetch(`${harness.baseUrl}/g/${slug}/01/${gtin}`, { redirect: 'manual' })).headers.get('location')
    const renamed = await waymark('org', 'set', acme.slug, '--name', ' Möbel 🪑 ', '--new-slug', 'moebel')
    expect(renamed).toMatchObject({ code: 0, stdout: 'The organisation is now Möbel 🪑 (moebel).\n' })
    expect((await acme.get('/v1/organisation')).body).toMatchObject({ name: 'Möbel 🪑', slug: 'moebel' })
    expect([await scan(acme.slug), await scan('moebel')]).toEqual(Array(2).fill('https://acme.example/lamp'))
    expect((await acme.get('/v1/audit-log?action=organisation.updated')).body.data).toMatchObject([
      { actor: { type: 'command_line' }, changes: { slug: { from: acme.slug, to: 'moebel' } } },
    ])
    const both = await json('org', 'set', 'moebel', '--name', 'Acme', '--rate-per-hour', '70')
    expect(both).toMatchObject({ name: 'Acme', slug: 'moebel', rate_per_hour: 70 })
    const other = await harness.createTenant()
    const [taken, invalid, old] = await Promise.all([
      expectRefusal('org', 'set', other.slug, '--new-slug', acme.slug, '--name', 'Taken'),
      expectRefusal('org', 'set', other.slug, '--new-slug', 'Not a slug'),
      expectRefusal('org', 'set', acme.slug, '--name', 'Nobody'),
    ])
    expect([taken, invalid, old]).toEqual([
      expect.stringContaining('This slug is taken'),
      expect.stringContaining('slug: Must be'),
      expect.stringContaining(`no organisation with the slug "${acme.slug}"`),
    ])
    expect((await other.get('/v1/organisation')).body).toMatchObject({ slug: other.slug })
    expect((await other.get('/v1/organisation')).body.name).not.toBe('Taken')
  })

  test('sets the credits of an organisation, and every change is an entry', async () => {
    const created = await json('org', 'create', '--name', 'Credits', '--slug', 'credits')
    const { api_key } = await json('key', 'create', '--org', 'credits', '--name', 'K')
    const get = async (path: string) => (await harness.client(api_key).get(`/v1/${path}`)).body
    const unlimited = { object: 'credit_balance', balance: null, unlimited: true, updated_at: expect.any(String) }
    const untouched = await get('credits')
    expect(untouched).toEqual(unlimited)
    expect(await get('credits')).toEqual(untouched)

    const set = (credits: string) => json('org', 'set', 'credits', '--credits', credits)
    expect(await set('500')).toEqual({ ...created, credits: 500 })
    await Promise.all([set('120'), set('120')])
    expect(await json('org', 'set', 'credits', '--credits', '120', '--rate-per-hour', '70')).toMatchObject({
      rate_per_hour: 70,
      credits: 120,
    })
    expect(await get('credits')).toMatchObject({ balance: 120, unlimited: false })
    expect((await get('credits/entries')).data).toMatchObject([
      { object: 'credit_entry', amount: -380, balance: 120, reason: 'adjustment' },
      { object: 'credit_entry', amount: -500, balance: 500, reason: 'adjustment' },
      { object: 'credit_entry', amount: 1000, balance: 1000, reason: 'adjustment' },
    ])
    expect((await get('audit-log?action=credit_balance.updated')).data).toMatchObject([
      { actor: { type: 'command_line' }, changes: { balance: { from: 500, to: 120 } } },
      {
        actor: { type: 'command_line' },
        changes: { balance: { from: 1000, to: 500 }, is_metered: { from: null, to: true } },
      },
    ])
    expect(await set('unlimited')).toMatchObject({ credits: 'unlimited' })
    expect(await get('credits')).toEqual(unlimited)
    expect((await waymark('org', 'set', 'credits', '--credits', '0')).stdout).toBe('Credits of credits: 0.\n')
    expect(await get('credits')).toMatchObject({ balance: 0, unlimited: false })
  })

  test('creates, lists and deactivates people, and prints a link for a new password', async () => {
    const [{ slug }, second] = [await harness.createTenant(), await harness.createTenant()]
    const created = await json('user', 'create', '--org', slug, '--email', 'kim@acme.com', '--role', 'owner')
    expect(created).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email: 'kim@acme.com',
      password: expect.stringMatching(/^[0-9A-Za-z]{20}$/),
    })
    const visitor = () => new Visitor(harness.baseUrl)
    const signIn = (password: string) => visitor().fillIn('/account/sign-in', { email: 'kim@acme.com', password })
    expect((await signIn(created.password)).status).toBe(303)
    const [listed, asTable, { url }] = await Promise.all([
      json('user', 'list', '--org', slug),
      waymark('user', 'list', '--org', slug),
      json('user', 'reset-password', 'KIM@acme.com'),
    ])
    expect(listed.data).toMatchObject([{ email: 'kim@acme.com', role: 'owner' }])
    expect(asTable.stdout).toContain('kim@acme.com')
    const { pathname, search, searchParams } = new URL(url)
    const token = searchParams.get('token') as string
    const reset = await visitor().fillIn(`${pathname}${search}`, { token, password: 'boat orange nine' })
    expect(reset.location).toBe('/account')
    expect((await signIn('boat orange nine')).status).toBe(303)

    expect(await json('user', 'deactivate', 'kim@acme.com')).toMatchObject({ is_active: false })
    expect((await signIn('boat orange nine')).status).toBe(401)
    expect(await json('user', 'deactivate', 'kim@acme.com', '--undo')).toMatchObject({ is_active: true })
    expect((await signIn('boat orange nine')).status).toBe(303)

    const [member, unknown, weak] = await Promise.all([
      json('user', 'create', '--org', second.slug, '--email', 'kim@acme.com', '--role', 'member'),
      expectRefusal('user', 'reset-password', 'nobody@acme.com'),
      expectRefusal(...`user create --org ${slug} --email x@acme.com --role agent --password short`.split(' ')),
    ])
    expect(member, 'a person keeps their password').toEqual({ id: created.id, email: 'kim@acme.com' })
    expect(unknown).toContain('nobody@acme.com')
    expect(weak).toContain('too short')
  })

  test('changes the address of a person and signs them out; with mail, the old address gets a notice', async () => {
    const acme = await harness.createTenant()
    const person = await harness.createPerson(acme, 'agent')
    expect(await json('user', 'change-email', person.email.toUpperCase(), 'alex@acme.com')).toEqual({
      id: person.userId,
      email: 'alex@acme.com',
    })
    expect((await acme.get('/v1/team/members')).body.data).toMatchObject([{ email: 'alex@acme.com' }])
    const { data } = (await acme.get('/v1/audit-log?action=user.email_changed')).body
    expect(data).toMatchObject([{ changes: { email: { from: person.email, to: 'alex@acme.com' } } }])
    await eventually(async () => (await person.get('/v1/me')).status === 401)
    const [invalid, unknown] = await Promise.all([
      expectRefusal('user', 'change-email', 'alex@acme.com', 'nonsense'),
      expectRefusal('user', 'change-email', 'nobody@acme.com', 'x@acme.com'),
    ])
    expect(invalid).toContain('email')
    expect(unknown).toContain('nobody@acme.com')
    const { kysely } = harness.service.database
    const waiting = () => kysely.selectFrom('mails').select(['kind', 'recipient']).execute()
    expect(await waiting()).toEqual([])
    const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'no-reply@acme.com' }
    const args = ['user', 'change-email', 'alex@acme.com', 'sasha@acme.com']
    expect(await runCommand(args, { ...settingsFor(harness), ...mail })).toMatchObject({ code: 0, stderr: '' })
    expect(await waiting()).toEqual([{ kind: 'email_changed', recipient: 'alex@acme.com' }])
  })

  test('removes the second factors of a person, signs them out and notes it in the audit log', async () => {
    const acme = await harness.createTenant()
    const password = 'boat orange nine'
    const create = ['user', 'create', '--org', acme.slug, '--email', 'lou@acme.com', '--role', 'owner']
    const { id, email } = await json(...create, '--password', password)
    const browser = new Visitor(harness.baseUrl)
    const signIn = (visitor: Visitor) => visitor.fillIn('/account/sign-in', { email, password })
    await signIn(browser)
    const { text } = await browser.open('/account/factors/totp')
    const seed = /class="secret">([A-Z2-7 ]+)</.exec(text)?.[1]?.replaceAll(' ', '') as string
    const ticket = /name="ticket" value="([^"]+)"/.exec(text)?.[1] as string
    await browser.send('/account/factors/totp', { ticket, code: codeAt(seed, harness.nowMs()) })
    expect((await signIn(new Visitor(harness.baseUrl))).location).toContain('/account/sign-in/second-step')
    expect(await json('user', 'reset-factors', 'LOU@acme.com')).toEqual({ id, email })
    expect((await signIn(new Visitor(harness.baseUrl))).location).toBe('/account')
    await eventually(async () => (await browser.open('/account')).status === 303)
    expect(await expectRefusal('user', 'reset-factors', 'nobody@acme.com')).toContain('nobody@acme.com')
    const { data } = (await acme.get('/v1/audit-log?action=user.factors_reset')).body
    expect(data).toMatchObject([{ actor: { type: 'command_line' }, resource: { id } }])
  })

  test('a new key works at once, and the service applies pause, resume and revoke within a second', async () => {
    await json('org', 'create', '--name', 'Keys', '--slug', 'keys')
    const key = await json('key', 'create', '--org', 'keys', '--name', 'First')
    const { api_key, ...rest } = key
    expect(api_key).toMatch(/^wm_live_[0-9A-Za-z]{40}$/)
    expect(rest).toMatchObject({ name: 'First', state: 'active', expires_at: null, last_used_at: null })
    expect(await errorOf(api_key)).toBeUndefined()

    expect(await json('key', 'pause', key.id)).toMatchObject({ id: key.id, state: 'paused' })
    await eventually(async () => (await errorOf(api_key)) === 'api_key_paused')
    expect((await waymark('key', 'resume', key.id.toUpperCase())).stdout).toMatch(/^The key First .* is active\.\n$/)
    await eventually(async () => (await errorOf(api_key)) === undefined)
    expect(await json('key', 'revoke', key.id)).toMatchObject({ state: 'revoked' })
    await eventually(async () => (await errorOf(api_key)) === 'api_key_revoked')

    const [refusal, second] = await Promise.all([
      expectRefusal('key', 'resume', key.id),
      json('key', 'create', '--org', 'keys', '--name', 'Second'),
    ])
    expect(refusal).toContain('revoked permanently')
    const [{ data }, { stdout }] = await Promise.all([
      json('key', 'list', '--org', 'keys'),
      waymark('key', 'list', '--org', 'keys'),
    ])
    expect(data.map(({ name, state }: typeof key) => `${name} ${state}`)).toEqual(['Second active', 'First revoked'])
    expect(stdout).toContain(second.id)
    expect(stdout).not.toContain(second.api_key)
  })

  test('creates keys with an expiry time, in the future or in the past', async () => {
    const { slug } = await harness.createTenant()
    const create = (time: string) => json('key', 'create', '--org', slug, '--name', 'K', '--expires-at', time)
    const [past, future] = await Promise.all([create('2020-02-29T01:30:00+02:00'), create('9999-12-31T23:59:59.999Z')])
    expect(past).toMatchObject({ state: 'expired', expires_at: '2020-02-28T23:30:00.000+00:00' })
    expect(await errorOf(past.api_key)).toBe('api_key_expired')
    expect(future).toMatchObject({ state: 'active', expires_at: '9999-12-31T23:59:59.999+00:00' })
    expect(await errorOf(future.api_key)).toBeUndefined()
  })

  test('prints one line without a stack trace when a command is refused', async () => {
    const { slug } = await harness.createTenant()
    const createOrg = (name: string, taken: string) => ['org', 'create', '--name', name, '--slug', taken]
    const [conflict, { code, stdout, json: asJson }] = await Promise.all([
      expectRefusal(...createOrg('Other', slug)),
      waymark(...createOrg('Other', slug), '--json'),
    ])
    expect(conflict).toContain('already has this slug')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(asJson).toEqual({
      error: {
        message: 'Another resource already has this slug. Choose another one.',
        code: 'conflict',
        details: { field: 'slug', value: slug },
      },
    })
    const refused: [args: string[], reason: string][] = [
      [createOrg('Other', 'Not a slug'), 'slug: Must be'],
      [createOrg('  ', 'blank'), 'name: Must be'],
      [['org', 'set', 'nobody', '--rate-per-hour', '5'], 'no organisation with the slug "nobody"'],
      [['org', 'set', slug], 'Nothing to change'],
      [['key', 'create', '--org', 'nobody', '--name', 'K'], '"nobody"'],
      [['key', 'pause', 'not-an-id'], 'no API key with the id not-an-id'],
    ]
    const reasons = await Promise.all(refused.map(([args]) => expectRefusal(...args)))
    expect(reasons).toEqual(refused.map(([, reason]) => expect.stringContaining(reason)))
  })

  test('secret rotate adds a generation, and older signatures remain valid', async () => {
    const before = harness.service.keyring.sign('cursor', 'a cursor')
    const { generation } = await json('secret', 'rotate')
    expect(generation).toBe(before.generation + 1)
    expect((await waymark('secret', 'rotate')).stdout).toContain('cursors that clients hold remain valid')
    const after = await Keyring.load(harness.service.database, {}, systemClock())
    expect(after.verify('cursor', before.generation, 'a cursor', before.signature)).toBe(true)
    expect(after.sign('cursor', 'a cursor').generation).toBe(before.generation + 2)
  })
})

describe('commands without a service', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(async () => {
    await killProcesses()
    await database.drop()
  })

  test('refuses a database that a newer version has migrated', async () => {
    const opened = await openDatabase(database.location)
    await sql`insert into migrations (name, timestamp) values ('9999_future', '2026-01-01T00:00:00.000Z')`.execute(
      opened.kysely,
    )
    const commands = ['migrate', 'org list']
    const ended = commands.map((command) => runCommand(command.split(' '), settingsFor(database)))
    for (const { code, stderr } of await Promise.all(ended)) {
      expect({ code, stderr }).toEqual({
        code: UNUSABLE_EXIT_CODE,
        stderr: expect.stringMatching(
          /^A newer Waymark has migrated .*\(9999_future\)\. Use that version or a later one,/,
        ),
      })
    }
    await sql`delete from migrations where name = '9999_future'`.execute(opened.kysely)
    await opened.close()
  })

  test('only migrate creates a database', async () => {
    const settings = settingsFor(database)
    if ('file' in database.location) {
      await rm(database.location.file)
      const missing = join(database.folder, 'mistyped')
      const { stderr } = await runCommand(['org', 'list'], { DATA_DIR: missing })
      expect(stderr).toBe(
        `There is no database in ${missing}. Check DATA_DIR, or run npm start or \`npx waymark migrate\` first.\n`,
      )
    } else {
      const opened = await openDatabase(database.location)
      await sql`drop schema public cascade`.execute(opened.kysely)
      await sql`create schema public`.execute(opened.kysely)
      await opened.close()
    }
    const commands = ['org list', 'key list --org acme', 'secret rotate', 'backup unwritten']
    const refused = commands.map((command) => runCommand(command.split(' '), settings))
    for (const { code, stderr } of await Promise.all(refused)) {
      expect(code).toBe(1)
      expect(stderr).toMatch(/^The(re is no| database is not up to date).*`npx waymark migrate` first\.\n$/)
    }
    const { json } = await runCommand(['migrate', '--json'], settings)
    expect(json.migrations[0]).toBe('0001_platform')
    const [again, empty] = await Promise.all([runCommand(['migrate'], settings), runCommand(['org', 'list'], settings)])
    expect(again.stdout).toBe('Nothing to do: the database is up to date.\n')
    expect(empty.stdout).toBe('There are no organisations yet. Create one with `npx waymark org create`.\n')
  })

  test('ends by itself, with an exit code, when it is a process', async () => {
    const commands = ['doctor --json', `backup ${join(database.folder, 'saved.gz')}`, 'articles import . --kb help']
    const ended = commands.map((command) => runProcess(command.split(' '), settingsFor(database)))
    expect((await Promise.all(ended)).map(({ code }) => code)).toEqual([0, 0, 1])
  })

  test('prints one line when the database cannot be reached', async () => {
    const { code, stderr } = await runCommand(['org', 'list'], { DATABASE_URL: 'postgres://localhost:1/waymark' })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^Cannot use the database at DATABASE_URL: .+\n$/)
  })
})
