import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createFirstOrganisation } from '../../modules/account/first-organisation/index.ts'
import { systemClock, timestamp } from '../../platform/clock/index.ts'
import { writeBackup } from '../../platform/db/dump/backup.ts'
import { selectTotal } from '../../platform/db/index.ts'
import { openDatabase } from '../../platform/db/open.ts'
import type { Database } from '../../platform/db/types.ts'
import { adoptSecretKey, Keyring } from '../../platform/keyring/index.ts'
import {
  ACME,
  createAwkwardTable,
  fillWithAwkwardData,
  GLOBEX,
  readEverything,
} from '../../testing/data/awkward/index.ts'
import { createDatabase, type TestDatabase } from '../../testing/engines/database.ts'
import { killProcesses, runCommand, type Settings, settingsFor, startServiceProcess } from '../../testing/process.ts'
import { testOnce } from '../../testing/test-once.ts'
import { lockDataDir } from '../data-dir.ts'
import { TABLES_LEFT_OUT } from '../tables-left-out.ts'

const SECRET_KEY = 'a secret of sixteen or more'

let source: TestDatabase
let file: string
/** All rows of the source. */
let everything: Record<string, unknown[]>
const targets: { test: TestDatabase; opened: Database }[] = []

beforeAll(async () => {
  source = await createDatabase()
  file = join(source.folder, 'waymark.backup.gz')
  const opened = await openDatabase(source.location)
  await createAwkwardTable(opened)
  await fillWithAwkwardData(opened)
  await Keyring.load(opened, {}, systemClock())
  await adoptSecretKey(opened, { secretKey: SECRET_KEY })
  everything = await readEverything(opened)
  await writeBackup(opened, file, {
    build: { version: '0.0.1', commit: null },
    now: timestamp(systemClock()),
    tablesLeftOut: TABLES_LEFT_OUT,
  })
  await opened.close()
})

afterEach(killProcesses)

afterAll(async () => {
  for (const { test, opened } of targets) {
    await opened.close()
    await test.drop()
  }
  await source.drop()
})

/** Creates an empty database with the same migrations as the source. */
async function createTarget(engine?: 'sqlite' | 'postgres') {
  const test = await createDatabase(engine)
  const opened = await openDatabase(test.location)
  await createAwkwardTable(opened)
  targets.push({ test, opened })
  const restore = (from: string, settings: Settings = { SECRET_KEY }) =>
    runCommand(['restore', from, '--json'], { ...settingsFor(test), ...settings })
  return { ...test, opened, restore }
}

describe.each(['sqlite', 'postgres'] as const)('restore into %s', (engine) => {
  test('restores all rows and counts them again, and a backup of them has the same rows', async () => {
    const target = await createTarget(engine)
    const { code, stderr, json } = await target.restore(file)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(json).toMatchObject({ file, rows: { organisations: 2, article_tags: 2501, awkward: 3 } })
    expect(json.rows).toMatchObject({ webhook_deliveries: 4, webhook_attempts: 2, event_fan_outs: 1 })
    expect(json.rows).not.toHaveProperty('delivery_leases')
    expect(json.total_rows).toBe(Object.values(everything).flat().length)
    expect(await readEverything(target.opened)).toEqual(everything)
    expect(await selectTotal(target.opened.read, ACME, 'article_tags')).toBe(2500)
    expect(await selectTotal(target.opened.read, GLOBEX, 'article_tags')).toBe(1)
    const copy = join(target.folder, 'again.gz')
    const [doctor, backup, second] = await Promise.all([
      runCommand(['doctor'], { ...settingsFor(target), SECRET_KEY }),
      runCommand(['backup', copy], settingsFor(target)),
      createTarget(),
    ])
    expect(doctor).toMatchObject({ code: 0, stderr: '' })
    expect(doctor.stdout).not.toContain('✗')

    const orphan = sql`insert into tombstones (org_id, id, kind, deleted_at) select id, id, 'x', created_at from api_keys`
    await expect(orphan.execute(target.opened.kysely), 'foreign keys are enforced again').rejects.toThrow('foreign_key')

    expect(backup.code).toBe(0)
    expect((await second.restore(copy)).code).toBe(0)
    expect(await readEverything(second.opened)).toEqual(everything)
  })
})

describe('restore is refused and leaves the database empty', () => {
  /** Databases that no other test is using. A refusal leaves them as they were. */
  const free: Awaited<ReturnType<typeof createTarget>>[] = []
  const expectRefusal = async (from: string, settings?: Settings) => {
    const target = free.pop() ?? (await createTarget())
    const { code, stdout, json } = await target.restore(from, settings)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(Object.values(await readEverything(target.opened)).flat()).toEqual([])
    free.push(target)
    return json.error.message as string
  }
  const write = async (name: string, content: Buffer | string) => {
    const path = join(source.folder, name)
    await writeFile(path, content)
    return path
  }
  const lines = async () =>
    gunzipSync(await readFile(file))
      .toString()
      .trimEnd()
      .split('\n')
  const writeLines = (name: string, changed: string[]) => write(name, gzipSync(`${changed.join('\n')}\n`))
  const withHeader = async (name: string, change: (header: any) => void) => {
    const [first = '', ...rest] = await lines()
    const header = JSON.parse(first)
    change(header)
    return writeLines(name, [JSON.stringify(header), ...rest])
  }

  test('when the file is cut off', async () => {
    const whole = await readFile(file)
    const shares = [0.1, 0.999]
    const refusals = shares.map(async (share) => {
      const cut = await write(`cut-${share}.gz`, whole.subarray(0, Math.floor(whole.length * share)))
      return expectRefusal(cut)
    })
    expect(await Promise.all(refusals)).toEqual(
      shares.map((share) => expect.stringMatching(new RegExp(`cut-${share}\\.gz is damaged: .*Nothing was restored`))),
    )
  })

  test('when the trailer, a row or a table is missing from the file', async () => {
    const all = await lines()
    const lastRow = all.findLastIndex((line) => line.startsWith('['))
    const domains = all.findIndex((line) => line.includes('"table":"custom_domains"'))
    const [trailer, row, table] = await Promise.all([
      expectRefusal(await writeLines('no-trailer.gz', all.slice(0, -1))),
      expectRefusal(await writeLines('no-row.gz', all.toSpliced(lastRow, 1))),
      expectRefusal(await writeLines('no-table.gz', all.toSpliced(domains, 1))),
    ])
    expect(trailer).toContain('its end is missing')
    expect(row).toMatch(/should have 3 rows of .* and has 2/)
    expect(table).toContain('rows of custom_domains')
  })

  test('when a row refers to a missing row', async () => {
    const all = await lines()
    const row = all.findIndex((line) => line.includes('"globex"'))
    const changed = all.toSpliced(row, 1).map((line) => line.replace('"organisations":2', '"organisations":1'))
    expect(await expectRefusal(await writeLines('orphans.gz', changed))).toContain('contradict each other')
  })

  testOnce('when the file does not exist or is not a backup', async () => {
    const [missing, text, other, unreadable] = await Promise.all([
      expectRefusal(join(source.folder, 'nowhere.gz')),
      expectRefusal(await write('text.gz', 'some text')),
      expectRefusal(await writeLines('other.gz', ['{"format":"other"}'])),
      expectRefusal(source.folder),
    ])
    expect(missing).toMatch(/^There is no file/)
    expect(text).toContain('is not a backup of Waymark')
    expect(other).toContain('is not a backup of Waymark')
    expect(unreadable).toContain('cannot be read')
  })

  testOnce('when another version made the backup, and names the version', async () => {
    const [newer, other, format] = await Promise.all([
      expectRefusal(await withHeader('newer.gz', (header) => header.migrations.push('9999_future'))),
      expectRefusal(await withHeader('other.gz', (header) => header.migrations.splice(3, 1))),
      expectRefusal(
        await withHeader('format.gz', (header) => {
          header.version = 2
        }),
      ),
    ])
    expect(newer).toMatch(/newer Waymark: it needs 0\.2\.\d+.* or later, .* lacks 9999_future/)
    expect(other).toMatch(/another development of Waymark \(.+\): it lacks 0004_\w+/)
    expect(format).toContain('backup format 2')
  })

  testOnce('without the SECRET_KEY that the backup was made with', async () => {
    const [without, wrong] = await Promise.all([
      expectRefusal(file, {}),
      expectRefusal(file, { SECRET_KEY: 'quite another secret' }),
    ])
    expect(without).toMatch(/^Nothing was restored\. .*Set SECRET_KEY to the same value/)
    expect(wrong).toContain('SECRET_KEY is not the one')
  })
})

testOnce('restore replaces the unused keyring of an empty database, and changes none that is not empty', async () => {
  const target = await createTarget()
  expect((await runCommand(['secret', 'rotate'], settingsFor(target))).code).toBe(0)
  expect((await target.restore(file)).code).toBe(0)
  expect(await readEverything(target.opened)).toEqual(everything)
  const { code, json } = await target.restore(file)
  expect(code).toBe(1)
  expect(json.error.message).toMatch(/^The database is not empty: .* to an empty /)
  expect(await readEverything(target.opened)).toEqual(everything)
})

describe('after the first start', () => {
  /** Creates what the first start creates in a terminal. */
  async function createFirst() {
    const target = await createTarget()
    const first = { credits: 1000, canShowSecrets: true }
    const secrets = await target.opened.write((tx) => createFirstOrganisation(tx, timestamp(systemClock()), first))
    return { ...target, apiKey: secrets?.apiKey as string }
  }
  type Started = Awaited<ReturnType<typeof createFirst>>

  async function runService(target: Started, work: (url: string) => Promise<unknown>): Promise<void> {
    const service = await startServiceProcess(settingsFor(target))
    await work(service.url)
    service.send('SIGTERM')
    expect(await service.ended).toMatchObject({ code: 0, stderr: '' })
  }

  async function expectRefusal(target: Started, reason: string): Promise<void> {
    const before = await readEverything(target.opened)
    const { code, json } = await target.restore(file)
    expect({ code, message: json.error.message }).toEqual({ code: 1, message: expect.stringContaining(reason) })
    expect(await readEverything(target.opened)).toEqual(before)
  }

  testOnce('restore replaces the first organisation with its key and its link', async () => {
    const target = await createFirst()
    await runService(target, (url) => fetch(`${url}/readyz`))
    expect(await target.restore(file)).toMatchObject({ code: 0, stderr: '' })
    expect(await readEverything(target.opened)).toEqual(everything)
  })

  testOnce(
    'restore is refused once the key was used, the organisation was renamed, or somebody has an account',
    async () => {
      const [used, renamed, joined] = await Promise.all([createFirst(), createFirst(), createFirst()])
      const headers = { authorization: `Bearer ${used.apiKey}` }
      await runService(used, async (url) => expect((await fetch(`${url}/v1/me`, { headers })).status).toBe(200))
      const rename = ['org', 'set', 'default', '--name', 'Acme']
      const join = ['user', 'create', '--org', 'default', '--email', 'owner@acme.example', '--role', 'owner']
      expect((await runCommand(rename, settingsFor(renamed))).code).toBe(0)
      expect((await runCommand(join, settingsFor(joined))).code).toBe(0)
      await expectRefusal(used, 'The database is not empty: it has api keys.')
      await expectRefusal(renamed, 'The database is not empty: it has organisations.')
      await expectRefusal(joined, 'The database is not empty: it has events.')
    },
  )
})

testOnce('restore is refused while a service uses the same data folder', async () => {
  const target = await createTarget('sqlite')
  const unlock = lockDataDir(target.folder)
  const { code, json } = await target.restore(file)
  expect(code).toBe(1)
  expect(json.error.message).toContain(`Another Waymark process is using ${target.folder}`)
  unlock()
  expect((await target.restore(file)).code).toBe(0)
})
