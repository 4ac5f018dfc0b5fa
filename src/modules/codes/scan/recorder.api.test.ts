/** Scans are stored exactly once, whether the database is available, slow, locked, or rejects some of them. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Worker } from 'node:worker_threads'
import { crc32 } from 'node:zlib'
import { sql } from 'kysely'
import pg from 'pg'
import { test as base, describe, expect, inject } from 'vitest'
import { timestamp } from '../../../platform/clock/index.ts'
import { openDatabase } from '../../../platform/db/open.ts'
import { closeGate, isCommitWaiting, newCommitGate, openGate } from '../../../platform/db/sqlite/commit-gate.ts'
import { EachOf } from '../../../platform/db/statements/each-of.ts'
import type { Database } from '../../../platform/db/types.ts'
import { newId, newIdAt, type OrgId } from '../../../platform/ids/index.ts'
import { Journal } from '../../../platform/recording/journal.ts'
import { toLine } from '../../../platform/recording/journal-line.ts'
import { createLogger } from '../../../platform/telemetry/logging.ts'
import { createDatabase, type TestDatabase } from '../../../testing/engines/database.ts'
import { eventually } from '../../../testing/eventually.ts'
import { createOrganisation } from '../../account/organisations/index.ts'
import { type RecordedScan, SCAN_VERSION, toScanTexts } from '../scans/index.ts'
import { FIRST_VERSION } from '../versions/index.ts'
import { openScanRecorder, type ScanRecorder } from './recorder.ts'

const NOW_MS = 1_800_000_000_000

interface Options {
  /** The database fails a locked write quickly instead of waiting. */
  failsFast?: boolean
}

/** Creates a database with one code and a recorder on it. */
async function start({ failsFast = false }: Options = {}) {
  const files = await createDatabase()
  /** The number of scans that each fold stores. */
  const inserts: number[] = []
  const commitGate = newCommitGate()
  const database = await openDatabase(files.location, {
    commitGate,
    connectionsMax: failsFast ? 1 : 10,
    observe: (text, [rows]) => {
      if (text.startsWith('with present as') || text.startsWith(`insert into "scans"`))
        inserts.push((rows instanceof EachOf ? rows.rows : JSON.parse(rows as string)).length)
    },
  })
  const { orgId, codeId } = await createCode(database)
  if (failsFast) await failFastOnLocks(database)

  const lines: any[] = []
  const log = createLogger('info', { write: (line: string) => void lines.push(JSON.parse(line)) })
  const folder = join(files.folder, 'scans')
  const openRecorder = () => openScanRecorder(database, folder, () => NOW_MS, log)
  let recorder: ScanRecorder | undefined = openRecorder()

  return {
    ...{ files, database, commitGate, inserts, lines, log, folder, orgId, codeId },
    row: (changes: object = {}): RecordedScan['row'] => ({ ...scanRow(orgId, codeId), ...changes }),
    /** Resolves when the scan is durable, or lost. */
    record: (row: RecordedScan['row'], announced = false): Promise<void> =>
      new Promise((resolve) => recorder!.record({ row, announced }, resolve)),
    recordRaw: (scan: RecordedScan, done: () => void) => recorder!.record(scan, done),
    settled: (id: OrgId = orgId) => recorder!.settled(id),
    lost: () => ({ count: recorder!.lost.count, alarm: recorder!.alarm }),
    close: async () => {
      const closing = recorder
      recorder = undefined
      await closing?.close()
    },
    reopen: () => {
      recorder = openRecorder()
    },
    logged: (message: string) => lines.filter(({ msg }) => msg === message),
    storedIds: async () => {
      const rows = await database.read
        .selectFrom('scans')
        .select('id')
        .where('org_id', '=', orgId)
        .orderBy('id')
        .execute()
      return rows.map(({ id }) => id)
    },
    total: async () =>
      (
        await database.read
          .selectFrom('scan_totals')
          .select('total_scans')
          .where('org_id', '=', orgId)
          .where('target_id', '=', codeId)
          .executeTakeFirstOrThrow()
      ).total_scans,
  }
}

type Started = Awaited<ReturnType<typeof start>>

const test = base.extend<{ setUp: (options?: Options) => Promise<Started> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern what the fixture needs
  setUp: async ({}, use) => {
    const started: Started[] = []
    await use(async (options) => {
      const given = await start(options)
      started.push(given)
      return given
    })
    for (const { close, database, files } of started) {
      await close()
      await database.close()
      await files.drop()
    }
  },
})

async function createCode(database: Database): Promise<{ orgId: OrgId; codeId: string }> {
  const now = timestamp(NOW_MS)
  return database.write(async (tx) => {
    const { id: orgId } = await createOrganisation(tx, { name: 'Acme', slug: 'acme' }, now)
    const codeId = newId()
    const texts = { public_slug: 'aB3dE5gH', name: null, description: null, name_key: '', search_text: '' }
    const destination = { destination_type: null, destination_id: null, destination_url: null, group_id: null }
    const row = {
      id: codeId,
      org_id: orgId,
      status: 'active' as const,
      ...texts,
      ...destination,
      ...FIRST_VERSION,
      created_at: now,
      updated_at: now,
    }
    await tx.insertInto('qr_codes').values(row).execute()
    return { orgId, codeId }
  })
}

const scanRow = (orgId: OrgId, codeId: string): RecordedScan['row'] => ({
  ...{ org_id: orgId, id: newIdAt(NOW_MS), target_kind: 'qr_code', target_id: codeId, scanned_at: timestamp(NOW_MS) },
  ...{ is_bot: false, visitor: '0123456789abcdef', user_agent: 'Phone 🏷\u2028', referrer: null, gs1: null },
  ...{ device_type: 'mobile', device_os: 'iOS', device_browser: 'Safari', country: null, region: null, city: null },
  ...{ destination_type: 'url', destination_id: null, destination_url: 'https://acme.com/', query_params: { a: 'ü' } },
})

async function failFastOnLocks({ engine, kysely }: Database): Promise<void> {
  await sql.raw(engine === 'sqlite' ? 'pragma busy_timeout = 20' : `set lock_timeout = '20ms'`).execute(kysely)
}

/** Blocks all writes to scans and their journal, as another process would. Returns a function that releases the lock. */
async function lockScans({ location }: TestDatabase): Promise<() => Promise<void>> {
  if ('file' in location) {
    const other = new DatabaseSync(location.file, { timeout: 5000 })
    other.exec('begin immediate')
    return async () => other.close()
  }
  const other = new pg.Client({ connectionString: location.url })
  await other.connect()
  await other.query('begin')
  await other.query('lock table scans, journal_texts in access exclusive mode')
  return () => other.end()
}

const AWAY = 'scans cannot be stored; they wait in the journal'

const many = (count: number, create: () => RecordedScan['row']) => Array.from({ length: count }, create)
const ids = (rows: RecordedScan['row'][]) => rows.map(({ id }) => id).sort()

/** PostgreSQL needs none as long as it answers. */
const filesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : [])

/** Every scan is stored and counted once, and the journal is empty. */
async function expectAllStored(given: Started, rows: RecordedScan['row'][]): Promise<void> {
  await eventually(async () => (await given.storedIds()).length >= rows.length)
  expect(await given.storedIds()).toEqual(ids(rows))
  expect(await given.total()).toBe(rows.filter(({ is_bot }) => !is_bot).length)
  await given.close()
  expect(filesIn(given.folder)).toEqual([])
  expect(await given.storedIds()).toEqual(ids(rows))
  expect(await given.total()).toBe(rows.filter(({ is_bot }) => !is_bot).length)
}

describe.concurrent('while the database is available', () => {
  test('scans are stored by few large folds', async ({ setUp }) => {
    const given = await setUp()
    const rows = many(2500, given.row)
    for (let n = 0; n < rows.length; n += 50) {
      await Promise.all(rows.slice(n, n + 50).map((row) => given.record(row)))
    }
    await given.settled()
    expect(given.inserts.reduce((sum, count) => sum + count, 0)).toBe(2500)
    expect(given.inserts.length).toBeLessThan(25)
    await expectAllStored(given, rows)
    expect(given.lines).toEqual([])
  })

  test('a scan is durable before it is stored, and reads wait for it', async ({ setUp }) => {
    const given = await setUp()
    await given.settled()
    const first = given.row()
    await given.record(first)
    expect(await given.storedIds()).toEqual([])
    await given.settled(newId() as OrgId)
    expect(await given.storedIds(), 'a read of another organisation does not wait').toEqual([])
    await given.settled()
    expect(await given.storedIds()).toEqual([first.id])
    expect(await given.total()).toBe(1)
    await expectAllStored(given, [first])
  })

  test('what is recorded while others are being stored is waited for, too', async ({ setUp }) => {
    const given = await setUp()
    const rows: RecordedScan['row'][] = []
    for (let round = 0; round < 20; round++) {
      const row = given.row()
      rows.push(row)
      void given.settled()
      await given.record(row)
      const reads = Array.from({ length: 3 }, async () => {
        await given.settled()
        return given.total()
      })
      expect(await Promise.all(reads)).toEqual([rows.length, rows.length, rows.length])
    }
    await expectAllStored(given, rows)
  })

  test('another instance waits for them as well, and stores them if this one has ended', async ({ setUp }) => {
    const given = await setUp()
    const rows = many(20, given.row)
    await Promise.all(rows.map((row) => given.record(row)))
    if (given.files.engine === 'postgres') {
      const other = openScanRecorder(given.database, join(given.files.folder, 'other'), () => NOW_MS, given.log)
      await other.settled(given.orgId)
      expect(await given.storedIds()).toEqual(ids(rows))
      const later = given.row()
      rows.push(later)
      await given.record(later)
      await other.settled(given.orgId)
      expect(await given.total()).toBe(21)
      await other.close()
    }
    await expectAllStored(given, rows)
  })

  test('a scan that is recorded twice is counted once and emits one event', async ({ setUp }) => {
    const given = await setUp()
    const row = given.row()
    expect(await given.record(row, true)).toBeUndefined()
    expect(await Promise.all([given.record(row, true), given.record(row, true)])).toEqual([undefined, undefined])
    await given.settled()
    await given.record(row, true)
    await given.settled()
    const events = await given.database.read
      .selectFrom('events')
      .select('type')
      .where('org_id', '=', given.orgId)
      .execute()
    expect(events).toEqual([{ type: 'qr_code.scanned' }])
    await expectAllStored(given, [row])
  })

  test('bots are stored and not counted, and the latest scan of a person is known', async ({ setUp }) => {
    const given = await setUp()
    const at = (seconds: number, is_bot: boolean) =>
      given.row({ is_bot, scanned_at: timestamp(NOW_MS + seconds * 1000) })
    const rows = [at(5, false), at(9, true), at(7, false), at(6, false)]
    await Promise.all(rows.map((row) => given.record(row)))
    await given.settled()
    const { last_scanned_at } = await given.database.read
      .selectFrom('scan_totals')
      .select('last_scanned_at')
      .where('org_id', '=', given.orgId)
      .where('target_id', '=', given.codeId)
      .executeTakeFirstOrThrow()
    expect(last_scanned_at).toBe(timestamp(NOW_MS + 7000))
    await expectAllStored(given, rows)
  })

  test('every column is stored as it was recorded', async ({ setUp }) => {
    const given = await setUp()
    const others = { group_id: newId(), object_id: newId(), rule_id: 'lunch', domain: 'go.acme.com', via: 'nfc' }
    const numbers = { rules_version: 3, variant: 'b', destination_version: 2, reason: 'paused' as const }
    const place = { country: 'DE', region: 'Berlin', city: 'Köln', destination_id: newId(), destination_type: 'page' }
    const row = given.row({ ...others, ...numbers, ...place, gs1: { lot: 'ü', cpv: null }, referrer: 'https://a.com/' })
    const empty = given.row({ query_params: null, gs1: null, user_agent: null, destination_url: null })
    await Promise.all([row, empty].map((one) => given.record(one)))
    await given.settled()
    const stored = given.database.read.selectFrom('scans').selectAll().where('org_id', '=', given.orgId)
    const byId = (id: string) => stored.where('id', '=', id).executeTakeFirst()
    expect(await byId(row.id)).toEqual(row)
    expect(await byId(empty.id)).toMatchObject({ ...empty, rules_version: 0 })
    await expectAllStored(given, [row, empty])
  })

  test('nothing comes back to an organisation that was erased', async ({ setUp }) => {
    const given = await setUp()
    const erased = newId() as OrgId
    const row = given.row()
    await Promise.all([given.row({ org_id: erased }), row].map((one) => given.record(one)))
    await given.settled()
    const left = await given.database.read.selectFrom('scans').select('id').where('org_id', '=', erased).execute()
    expect(left).toEqual([])
    await expectAllStored(given, [row])
  })

  test('stores the scans that an earlier process left in its journal when it starts', async ({ setUp }) => {
    const given = await setUp()
    await given.close()
    const rows = many(1500, given.row)
    const left = new Journal(given.folder, { entries: 'scans', version: SCAN_VERSION })
    await left.append(toScanTexts(rows.map((row) => ({ row, announced: false }))))
    await left.close()
    given.reopen()
    await given.settled()
    expect(await given.storedIds()).toEqual(ids(rows))
    await expectAllStored(given, rows)
  })
})

describe.concurrent('a journal of another release', () => {
  const seal = (content: string) => `${crc32(content).toString(16).padStart(8, '0')} ${content}\n`
  /** Lines as the first releases wrote them, and as later ones did: one for each scan. */
  const withoutVersion = (scan: object) => seal(JSON.stringify(scan).replaceAll('\u2028', '\\u2028'))
  const withoutGeneration = (version: number, scan: object) => seal(`v${version} ${JSON.stringify(scan)}`)

  /** Leaves a journal with one segment, as an ended process does. */
  function leaveJournal(folder: string, name: string, lines: string[]): void {
    mkdirSync(join(folder, name), { recursive: true })
    writeFileSync(join(folder, name, '1.scans'), lines.join(''))
  }

  test('is stored when it is older and has no version', async ({ setUp }) => {
    const given = await setUp()
    await given.close()
    const rows = many(10, given.row)
    leaveJournal(
      given.folder,
      'older',
      rows.map((row) => withoutVersion({ row, announced: false })),
    )
    given.reopen()
    await expectAllStored(given, rows)
  })

  test('is stored with null in a column that it lacks, next to lines that have the column', async ({ setUp }) => {
    const given = await setUp()
    await given.close()
    const older = given.row({ city: 'Berlin' })
    const { referrer: _, ...withoutReferrer } = older
    const current = given.row({ referrer: 'https://acme.com/' })
    leaveJournal(given.folder, 'mixed', [
      withoutGeneration(19, { row: withoutReferrer, announced: false }),
      withoutGeneration(20, { row: current, announced: true }),
    ])
    given.reopen()
    await expectAllStored(given, [older, current])
    const stored = given.database.read
      .selectFrom('scans')
      .select(['city', 'referrer'])
      .where('org_id', '=', given.orgId)
    const byId = (row: RecordedScan['row']) => stored.where('id', '=', row.id).executeTakeFirst()
    expect(await byId(older)).toEqual({ city: 'Berlin', referrer: null })
    expect(await byId(current)).toEqual({ city: current.city, referrer: 'https://acme.com/' })
  })

  test('is stored with null in columns that were added behind its own', async ({ setUp }) => {
    const given = await setUp()
    await given.close()
    const row = given.row({ referrer: 'https://acme.com/', domain: 'go.acme.com' })
    const [json = ''] = toScanTexts([{ row, announced: false }])
    const [values] = JSON.parse(json) as [unknown[]]
    leaveJournal(given.folder, 'shorter', [
      toLine({ version: 20, generation: 1, json: JSON.stringify([values.slice(0, 20)]) }),
    ])
    given.reopen()
    await expectAllStored(given, [row])
    const stored = given.database.read
      .selectFrom('scans')
      .select(['referrer', 'domain'])
      .where('org_id', '=', given.orgId)
    expect(await stored.execute()).toEqual([{ referrer: 'https://acme.com/', domain: null }])
  })

  test('is kept and reported when it is newer, while other scans are stored', async ({ setUp }) => {
    const given = await setUp()
    await given.close()
    const [newer, older, own] = [given.row(), given.row(), given.row()]
    const [json = ''] = toScanTexts([{ row: newer, announced: false }])
    leaveJournal(given.folder, 'newer', [toLine({ version: 1000, generation: 1, json })])
    leaveJournal(given.folder, 'older', [withoutVersion({ row: older, announced: false })])
    given.reopen()
    expect(await given.record(own)).toBeUndefined()
    await eventually(async () => (await given.storedIds()).length === 2)
    expect(await given.storedIds()).toEqual(ids([older, own]))
    const [failure] = await eventually(() => {
      const lines = given.logged('a journal of another process cannot be read')
      return lines.length > 0 && lines
    })
    expect(failure.err.message).toContain('1.scans has lines of version 1000')
    await given.close()
    expect(readdirSync(given.folder)).toEqual(['newer'])
    expect(readFileSync(join(given.folder, 'newer', '1.scans'), 'utf8')).toContain(newer.id)
  })
})

describe.concurrent('while writes fail', () => {
  test('scans are still made durable, and stored once each when writes succeed again', async ({ setUp }) => {
    const given = await setUp({ failsFast: true })
    const before = many(5, given.row)
    await Promise.all(before.map((row) => given.record(row)))
    const release = await lockScans(given.files)
    const during = many(300, () => given.row({ is_bot: Math.random() < 0.3 }))
    for (let n = 0; n < during.length; n += 50) {
      const failures = await Promise.all(during.slice(n, n + 50).map((row) => given.record(row)))
      expect(new Set(failures)).toEqual(new Set([undefined]))
    }
    await eventually(() => given.logged(AWAY).length === 1)
    expect(await given.settled(), 'a read does not wait for a database that is away').toBeUndefined()
    await release()
    const after = many(50, given.row)
    await Promise.all(after.map((row) => given.record(row)))
    await expectAllStored(given, [...before, ...during, ...after])
    expect(given.logged('scans are stored again')).toHaveLength(1)
  })

  test('repeated failures lose no scan and count none twice', async ({ setUp }) => {
    const given = await setUp({ failsFast: true })
    const rows: RecordedScan['row'][] = []
    const recorded: Promise<unknown>[] = []
    for (let round = 0; round < 5; round++) {
      const release = await lockScans(given.files)
      for (let n = 0; n < 20; n++) {
        const row = given.row()
        rows.push(row)
        recorded.push(given.record(row))
        await new Promise(setImmediate)
      }
      await recorded.at(-1)
      await release()
      // These arrive while the others are being stored.
      for (let n = 0; n < 20; n++) {
        const row = given.row()
        rows.push(row)
        recorded.push(given.record(row))
        await new Promise(setImmediate)
      }
      if (round % 2 === 0) await eventually(async () => (await given.storedIds()).length === rows.length)
    }
    expect(new Set(await Promise.all(recorded))).toEqual(new Set([undefined]))
    await expectAllStored(given, rows)
  })

  test('close calls back for every scan, and leaves those it cannot store to the next process', async ({ setUp }) => {
    const given = await setUp({ failsFast: true })
    const release = await lockScans(given.files)
    const rows = many(30, given.row)
    const recorded = rows.map((row) => given.record(row))
    await given.close()
    expect(await Promise.all(recorded)).toEqual(rows.map(() => undefined))
    await release()
    expect(await given.storedIds()).toEqual([])
    expect(readdirSync(given.folder)).toHaveLength(1)
    given.reopen()
    await expectAllStored(given, rows)
  })

  test('close stores what it can', async ({ setUp }) => {
    const given = await setUp({ failsFast: true })
    const release = await lockScans(given.files)
    const rows = many(30, given.row)
    await Promise.all(rows.map((row) => given.record(row)))
    await release()
    await given.close()
    expect(await given.storedIds()).toEqual(ids(rows))
    expect(filesIn(given.folder)).toEqual([])
  })
})

// Not concurrent: the threads of other tests would be ended, too.
describe.runIf(inject('engine') === 'sqlite')('while the thread that writes ends again and again', () => {
  test('scans are still made durable, and stored once each', async ({ setUp }) => {
    const threads: Worker[] = []
    const remember = (worker: Worker) => threads.push(worker)
    /** An ended thread has no name. */
    const writer = () => threads.find(({ threadName }) => threadName === 'sqlite-write')
    process.on('worker', remember)
    const given = await setUp()
    const rows: RecordedScan['row'][] = []
    const recorded: Promise<unknown>[] = []
    for (let round = 0; round < 5; round++) {
      for (let n = 0; n < 100; n++) {
        const row = given.row()
        rows.push(row)
        recorded.push(given.record(row, n % 2 === 0))
        await new Promise(setImmediate)
        if (n === 50) void (await eventually(writer)).terminate()
      }
      await recorded.at(-1)
    }
    process.off('worker', remember)
    expect(new Set(await Promise.all(recorded))).toEqual(new Set([undefined]))
    expect(given.logged(AWAY)).not.toEqual([])
    await expectAllStored(given, rows)
  })
})

describe.runIf(inject('engine') === 'sqlite').concurrent('while commits are slow', () => {
  test('scans are durable at once, and stored once each, with one event', async ({ setUp }) => {
    const given = await setUp()
    await given.settled()
    closeGate(given.commitGate)
    const rows = many(10, given.row)
    await Promise.all(rows.map((row) => given.record(row, true)))
    await eventually(() => isCommitWaiting(given.commitGate))
    expect(await given.storedIds()).toEqual([])
    openGate(given.commitGate)
    await expectAllStored(given, rows)
    const events = await given.database.read
      .selectFrom('events')
      .select('payload')
      .where('org_id', '=', given.orgId)
      .execute()
    expect(events.map(({ payload }) => (payload as { id: string }).id).sort()).toEqual(ids(rows))
  })
})

describe.concurrent('a scan that cannot be stored', () => {
  test.for([
    ['without a target kind', { target_kind: null }, false],
    ['without a valid event', { user_agent: 5 }, true],
    ['without a time', { scanned_at: null }, false],
  ] as [string, object, boolean][])(
    '%s is logged and does not block other scans',
    async ([, changes, announced], { setUp }) => {
      const given = await setUp()
      const rows = many(40, given.row)
      const poison = given.row(changes)
      const recorded = [
        ...rows.slice(0, 20).map((row) => given.record(row)),
        given.record(poison, announced),
        ...rows.slice(20).map((row) => given.record(row)),
      ]
      expect(await Promise.all(recorded)).toEqual(recorded.map(() => undefined))
      await eventually(async () => (await given.storedIds()).length === rows.length)
      const rejected = await eventually(() => given.logged('a scan cannot be stored')[0])
      expect(rejected.scan.id).toBe(poison.id)
      const later = given.row()
      rows.push(later)
      await given.record(later)
      await given.settled()
      expect(await given.storedIds()).toContain(later.id)
      await expectAllStored(given, rows)
      expect(given.logged('a scan cannot be stored')).toHaveLength(1)
    },
  )

  test('because PostgreSQL does not know one of its characters does no harm on either engine', async ({ setUp }) => {
    const given = await setUp()
    const rows = many(10, given.row)
    const poison = given.row({ user_agent: 'Phone\0', query_params: { 'a\0': '\ud83c' } })
    await Promise.all([...rows, poison].map((row) => given.record(row)))
    expect(given.lost().count).toBe(0)
    if (given.files.engine === 'sqlite') await expectAllStored(given, [...rows, poison])
    else {
      await expectAllStored(given, rows)
      expect(given.logged('a scan cannot be stored')[0].scan.id).toBe(poison.id)
    }
  })

  test('nor written to the journal is counted as lost, logged and raised as an alarm', async ({ setUp }) => {
    const given = await setUp()
    expect(given.lost()).toEqual({ count: 0, alarm: undefined })
    for (let n = 0; n < 3; n++) await given.record(given.row({ query_params: { a: 1n } }))
    expect(given.lost()).toEqual({ count: 3, alarm: expect.stringMatching(/^3 scans were lost between 20/) })
    const row = given.row()
    await given.record(row)
    await expectAllStored(given, [row])
    await given.close()
    // The first at once, the others together.
    const logged = given.logged('scans are lost: they could be written to neither database nor journal')
    expect(logged.map(({ scans, total }) => [scans, total])).toEqual([
      [1, 1],
      [2, 3],
    ])
  })
})

describe.concurrent('failures elsewhere', () => {
  test('a callback that throws does not affect other scans', async ({ setUp }) => {
    const given = await setUp()
    const rows = many(3, given.row)
    given.recordRaw({ row: rows[0]!, announced: false }, () => {
      throw new Error('the response could not be sent')
    })
    expect(await given.record(rows[1]!)).toBeUndefined()
    expect(await given.record(rows[2]!)).toBeUndefined()
    await expectAllStored(given, rows)
  })

  test('a table that is missing for a while loses no acknowledged scan', async ({ setUp }) => {
    const given = await setUp()
    const { kysely } = given.database
    await sql`alter table scans rename to scans_elsewhere`.execute(kysely)
    const rows = many(5, given.row)
    await Promise.all(rows.map((row) => given.record(row)))
    expect(given.lost().count).toBe(0)
    await eventually(() => given.inserts.length >= 4)
    await sql`alter table scans_elsewhere rename to scans`.execute(kysely)
    await expectAllStored(given, rows)
  })
})
