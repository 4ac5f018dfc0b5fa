/** Scans are stored exactly once, whether the database is available, slow, locked, or rejects some of them. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Worker } from 'node:worker_threads'
import { crc32 } from 'node:zlib'
import { sql } from 'kysely'
import pg from 'pg'
import { test as base, describe, expect, inject } from 'vitest'
import { timestamp } from '../../../platform/clock/index.ts'
import { columnsOf } from '../../../platform/db/index.ts'
import { openDatabase } from '../../../platform/db/open.ts'
import { closeGate, isCommitWaiting, newCommitGate, openGate } from '../../../platform/db/sqlite/commit-gate.ts'
import { EachOf } from '../../../platform/db/statements/each-of.ts'
import type { Database } from '../../../platform/db/types.ts'
import { newId, newIdAt, type OrgId } from '../../../platform/ids/index.ts'
import { toLine } from '../../../platform/recording/journal-line.ts'
import { createLogger } from '../../../platform/telemetry/logging.ts'
import { createDatabase, type TestDatabase } from '../../../testing/engines/database.ts'
import { eventually } from '../../../testing/eventually.ts'
import { createOrganisation } from '../../account/organisations/index.ts'
import type { RecordedScan } from '../scans/index.ts'
import { openScanRecorder, type ScanRecorder } from './recorder.ts'
import { openScanJournal } from './scan-journal.ts'

const NOW_MS = 1_800_000_000_000

interface Options {
  /** The database fails a locked write quickly instead of waiting. */
  failsFast?: boolean
}

/** Creates a database with one code and a recorder on it. */
async function start({ failsFast = false }: Options = {}) {
  const files = await createDatabase()
  /** The number of rows of each insert. */
  const inserts: number[] = []
  const commitGate = newCommitGate()
  const database = await openDatabase(files.location, {
    commitGate,
    connectionsMax: failsFast ? 1 : 10,
    observe: (text, [rows]) => {
      if (text.startsWith('insert into "scans"'))
        inserts.push(rows instanceof EachOf ? rows.rows.length : (rows as []).length)
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
    ...{ files, database, commitGate, inserts, lines, folder, orgId, codeId },
    row: (changes: object = {}): RecordedScan['row'] => ({ ...scanRow(orgId, codeId), ...changes }),
    /** Resolves when the scan is durable, or lost. */
    record: (row: RecordedScan['row'], announced = false): Promise<void> =>
      new Promise((resolve) => recorder!.record({ row, announced }, resolve)),
    recordRaw: (scan: RecordedScan, done: () => void) => recorder!.record(scan, done),
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

/** Blocks all writes to scans, as another process would. Returns a function that releases the lock. */
async function lockScans({ location }: TestDatabase): Promise<() => Promise<void>> {
  if ('file' in location) {
    const other = new DatabaseSync(location.file, { timeout: 5000 })
    other.exec('begin immediate')
    return async () => other.close()
  }
  const other = new pg.Client({ connectionString: location.url })
  await other.connect()
  await other.query('begin')
  await other.query('lock table scans in access exclusive mode')
  return () => other.end()
}

const many = (count: number, create: () => RecordedScan['row']) => Array.from({ length: count }, create)
const ids = (rows: RecordedScan['row'][]) => rows.map(({ id }) => id).sort()

/** Every scan is stored and counted once, and the journal is empty. */
async function expectAllStored(given: Started, rows: RecordedScan['row'][]): Promise<void> {
  await eventually(async () => (await given.storedIds()).length >= rows.length)
  expect(await given.storedIds()).toEqual(ids(rows))
  expect(await given.total()).toBe(rows.filter(({ is_bot }) => !is_bot).length)
  await given.close()
  expect(readdirSync(given.folder)).toEqual([])
  expect(await given.storedIds()).toEqual(ids(rows))
  expect(await given.total()).toBe(rows.filter(({ is_bot }) => !is_bot).length)
}

describe.concurrent('while the database is available', () => {
  test('scans of one tick share a batch; while two batches are in flight, the next one gathers', async ({ setUp }) => {
    const given = await setUp()
    const release = await lockScans(given.files)
    const first = many(10, given.row)
    const recorded = first.map((row) => given.record(row))
    await eventually(() => given.inserts.length === 1)
    const second = many(25, given.row)
    recorded.push(...second.map((row) => given.record(row)))
    await eventually(() => given.inserts.length === 2)
    const third = many(25, given.row)
    for (const row of third) {
      recorded.push(given.record(row))
      await new Promise(setImmediate)
    }
    await release()
    expect(new Set(await Promise.all(recorded))).toEqual(new Set([undefined]))
    expect(given.inserts).toEqual([10, 25, 25])
    await expectAllStored(given, [...first, ...second, ...third])
    expect(given.lines).toEqual([])
  })

  test('a batch has at most a thousand scans', async ({ setUp }) => {
    const given = await setUp()
    const rows = many(2500, given.row)
    await Promise.all(rows.map((row) => given.record(row)))
    expect(given.inserts).toEqual([1000, 1000, 500])
    await expectAllStored(given, rows)
  })

  test('reports a scan as durable only after its commit', async ({ setUp }) => {
    const given = await setUp()
    closeGate(given.commitGate)
    const release = await lockScans(given.files)
    const row = given.row()
    let isDone = false
    const seen = new Promise((resolve) =>
      given.recordRaw({ row, announced: false }, () => {
        isDone = true
        resolve(given.storedIds())
      }),
    )
    await eventually(() => given.inserts.length === 1)
    expect(isDone).toBe(false)
    await release()
    if (given.files.engine === 'sqlite') {
      await eventually(() => isCommitWaiting(given.commitGate))
      expect([isDone, await given.storedIds()]).toEqual([false, []])
      openGate(given.commitGate)
    }
    // A callback that comes too early would find nothing.
    expect(await seen).toEqual([row.id])
  })

  test('a scan that is recorded twice is counted once and emits one event', async ({ setUp }) => {
    const given = await setUp()
    const row = given.row()
    expect(await given.record(row, true)).toBeUndefined()
    expect(await Promise.all([given.record(row, true), given.record(row, true)])).toEqual([undefined, undefined])
    const events = await given.database.read
      .selectFrom('events')
      .select('type')
      .where('org_id', '=', given.orgId)
      .execute()
    expect(events).toEqual([{ type: 'qr_code.scanned' }])
    await expectAllStored(given, [row])
  })

  test('stores the scans that an earlier process left in its journal when it starts', async ({ setUp }) => {
    const given = await setUp()
    await given.close()
    const rows = many(1500, given.row)
    const left = openScanJournal(given.folder)
    await left.append(rows.map((row) => ({ row, announced: false })))
    await left.close()
    given.reopen()
    await expectAllStored(given, rows)
    expect(given.logged('stored scans from the journal')).toEqual([expect.objectContaining({ scans: 1500 })])
  })
})

describe.concurrent('a journal of another release', () => {
  /** A line as the first releases wrote it, without a version. */
  const toOldLine = (scan: RecordedScan) => {
    const json = JSON.stringify(scan).replaceAll('\u2028', '\\u2028')
    return `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`
  }

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
      rows.map((row) => toOldLine({ row, announced: false })),
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
      toLine(1, { row: withoutReferrer, announced: false }),
      toLine(columnsOf('scans').length, { row: current, announced: false }),
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

  test('is kept and reported when it is newer, while other scans are stored', async ({ setUp }) => {
    const given = await setUp()
    await given.close()
    const [newer, older, own] = [given.row(), given.row(), given.row()]
    leaveJournal(given.folder, 'newer', [toLine(1000, { row: newer, announced: false })])
    leaveJournal(given.folder, 'older', [toOldLine({ row: older, announced: false })])
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
    expect(given.logged('the database failed to store scans; they go to the journal for now')).toHaveLength(1)
    await release()
    const after = many(50, given.row)
    await Promise.all(after.map((row) => given.record(row)))
    await expectAllStored(given, [...before, ...during, ...after])
    const fromJournal = given.logged('stored scans from the journal').reduce((sum, { scans }) => sum + scans, 0)
    expect(fromJournal).toBeGreaterThanOrEqual(300)
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
      // These arrive while the journal is being drained.
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

  test('close drains the journal when writes succeed again', async ({ setUp }) => {
    const given = await setUp({ failsFast: true })
    const release = await lockScans(given.files)
    const rows = many(30, given.row)
    await Promise.all(rows.map((row) => given.record(row)))
    await release()
    await given.close()
    expect(await given.storedIds()).toEqual(ids(rows))
    expect(readdirSync(given.folder)).toEqual([])
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
    expect(given.logged('the database failed to store scans; they go to the journal for now')).not.toEqual([])
    await expectAllStored(given, rows)
  })
})

describe.concurrent('while commits time out', () => {
  test('a commit that succeeds after its timeout is counted once and emits one event', async ({ setUp }) => {
    const given = await setUp()
    const release = await lockScans(given.files)
    const rows = many(20, given.row)
    // They are durable before the lock is released, so they are in the journal.
    expect(await Promise.all(rows.map((row) => given.record(row, true)))).toEqual(rows.map(() => undefined))
    expect(given.logged('the database failed to store scans; they go to the journal for now')).toHaveLength(1)
    await release()
    await expectAllStored(given, rows)
    const events = await given.database.read
      .selectFrom('events')
      .select('payload')
      .where('org_id', '=', given.orgId)
      .execute()
    expect(events.map(({ payload }) => (payload as { id: string }).id).sort()).toEqual(ids(rows))
    // Both reached the database: the late commit and the journal's.
    expect(given.inserts.length).toBeGreaterThanOrEqual(2)
  })

  test.runIf(inject('engine') === 'sqlite')(
    'a disk that is slower than the timeout loses no scan',
    async ({ setUp }) => {
      const given = await setUp()
      closeGate(given.commitGate)
      const rows = many(10, given.row)
      await Promise.all(rows.map((row) => given.record(row)))
      // The journal tries to store them as well, before the first commit ends.
      await eventually(() => given.inserts.length >= 2)
      openGate(given.commitGate)
      await expectAllStored(given, rows)
    },
  )
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
      // Afterwards scans are stored directly again.
      const later = await eventually(async () => {
        const row = given.row()
        await given.record(row)
        rows.push(row)
        return (await given.storedIds()).includes(row.id) && row
      })
      expect(later).toBeDefined()
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
