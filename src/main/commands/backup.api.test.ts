import { existsSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { SCAN_VERSION, storeScans, toScanTexts } from '../../modules/codes/scans/index.ts'
import { toRecordedScan } from '../../modules/codes/scans/testing/stored-scan.ts'
import { systemClock, timestamp } from '../../platform/clock/index.ts'
import { writeBackup } from '../../platform/db/dump/backup.ts'
import { selectTotal } from '../../platform/db/index.ts'
import { openDatabase } from '../../platform/db/open.ts'
import { newId } from '../../platform/ids/index.ts'
import { Journal } from '../../platform/recording/journal.ts'
import { createDatabase } from '../../testing/engines/database.ts'
import { eventually } from '../../testing/eventually.ts'
import { useHarness } from '../../testing/harness.ts'
import { killProcesses, runCommand, settingsFor } from '../../testing/process.ts'
import { TABLES_LEFT_OUT } from '../tables-left-out.ts'

const harness = useHarness()
afterEach(killProcesses)

const waymark = (...args: string[]) => runCommand([...args, '--json'], settingsFor(harness))

test('writes a file that only its owner can read, and replaces one only with --force', async () => {
  const file = join(harness.folder, 'first.gz')
  const first = await waymark('backup', file)
  expect(first).toMatchObject({ code: 0, stderr: '' })
  const { size, mode } = await stat(file)
  expect(first.json).toMatchObject({ file, bytes: size, created_at: expect.any(String), rows: { keyring: 1 } })
  expect(mode & 0o777).toBe(0o600)
  expect(existsSync(`${file}.partial`)).toBe(false)

  const before = await readFile(file)
  const second = await waymark('backup', file)
  expect(second).toMatchObject({ code: 1, json: { error: { message: expect.stringContaining('--force') } } })
  expect(await readFile(file)).toEqual(before)

  await writeFile(file, 'something else', { mode: 0o644 })
  // The partial file of a killed backup does not prevent the next one.
  await writeFile(`${file}.partial`, 'half of it')
  expect((await waymark('backup', file, '--force')).code).toBe(0)
  expect(gunzipSync(await readFile(file)).toString()).toMatch(/^{"format":"waymark-backup","version":1,/)
  expect(existsSync(`${file}.partial`)).toBe(false)
})

test('prints one line when the file cannot be written', async () => {
  const { code, stderr } = await runCommand(
    ['backup', join(harness.folder, 'no', 'such', 'folder.gz')],
    settingsFor(harness),
  )
  expect(code).toBe(1)
  expect(stderr).toMatch(/^.*folder\.gz cannot be written: ENOENT.*\n$/)
})

test('an aborted backup leaves no file behind', async () => {
  const file = join(harness.folder, 'stopped.gz')
  const stop = new AbortController()
  const opened = await openDatabase(harness.location)
  const aborted = writeBackup(opened, file, {
    build: { version: '0.0.1', commit: null },
    now: timestamp(systemClock()),
    tablesLeftOut: TABLES_LEFT_OUT,
    signal: stop.signal,
    onProgress: () => stop.abort(),
  })
  await expect(aborted).rejects.toThrow('The backup was stopped.')
  await opened.close()
  expect(existsSync(file) || existsSync(`${file}.partial`)).toBe(false)
  expect((await waymark('backup', file)).code).toBe(0)
})

test('saves a snapshot of one moment while the service writes', async () => {
  const tags = 1000
  const acme = await harness.createTenant()
  const row = (name: string) => ({
    id: newId(),
    org_id: acme.orgId,
    name,
    name_folded: name,
    created_at: timestamp(systemClock()),
  })
  const rows = Array.from({ length: tags }, (_, number) => row(`Tag ${number}`))
  // In the file, events come between tombstones and tags, so that the two are read at different times.
  const payload = { text: 'x'.repeat(1000) }
  const events = rows.map(() => ({
    id: newId(),
    org_id: acme.orgId,
    type: 'test',
    payload,
    created_at: rows[0]!.created_at,
    batch_id: null,
    batch_size: 1,
  }))
  await harness.service.database.write(async (tx) => {
    for (let from = 0; from < tags; from += 500) {
      await tx
        .insertInto('article_tags')
        .values(rows.slice(from, from + 500))
        .execute()
      for (let copy = 0; copy < 5; copy++) {
        const some = events.slice(from, from + 500).map((event) => ({ ...event, id: newId() }))
        await tx.insertInto('events').values(some).execute()
      }
    }
  })

  const deleted: string[] = []
  let saved = false
  // Each deletion removes a tag and adds a tombstone, in one transaction.
  const deleting = (async () => {
    for (const { id } of rows) {
      if (saved) return
      expect((await acme.delete(`/v1/article-tags/${id}`)).status).toBe(204)
      deleted.push(id)
    }
  })()
  await eventually(() => deleted.length > 0)
  const file = join(harness.folder, 'moment.gz')
  const { code } = await waymark('backup', file)
  saved = true
  await deleting
  expect(code).toBe(0)

  const target = await createDatabase()
  const restored = await runCommand(['restore', file, '--json'], settingsFor(target))
  expect(restored).toMatchObject({ code: 0, stderr: '' })
  const { read, close } = await openDatabase(target.location)
  const ids = async (table: 'article_tags' | 'tombstones') =>
    (await read.selectFrom(table).select('id').where('org_id', '=', acme.orgId).execute()).map(({ id }) => id)
  const [left, gone] = [await ids('article_tags'), await ids('tombstones')]
  expect(await selectTotal(read, acme.orgId, 'article_tags')).toBe(left.length)
  await close()
  await target.drop()

  expect(gone.sort()).toEqual(deleted.slice(0, gone.length).sort())
  expect([...left, ...gone].sort()).toEqual(rows.map(({ id }) => id).sort())
  expect(gone.length, 'the backup starts after the first deletion').toBeGreaterThan(0)
  expect(left.length, 'deletions continue after the snapshot').toBeGreaterThan(tags - deleted.length)
})

test('what waits to be stored is part of a backup, and counted after the restore', async () => {
  const acme = await harness.createTenant()
  const { id: target_id } = (await acme.post('/v1/qr-codes', { name: 'Chair' })).body
  const scanned_at = timestamp(systemClock())
  const scan = () => toRecordedScan(acme.orgId, { target_kind: 'qr_code', target_id, scanned_at })
  const stored = Array.from({ length: 5 }, scan)
  await storeScans(harness.service.database, stored, scanned_at)
  // In the folder of another installation, whose scans the running service leaves alone. One was stored already.
  const journal = new Journal(join(harness.folder, 'scans', newId()), { entries: 'scans', version: SCAN_VERSION })
  await journal.append(toScanTexts([...stored.slice(0, 1), scan(), scan(), { ...scan(), announced: true }]))
  const file = join(harness.folder, 'waiting.gz')
  const { code, json } = await waymark('backup', file)
  await journal.close()
  expect({ code, rows: json.rows.journal_texts }).toEqual({ code: 0, rows: 2 })

  const restored = await createDatabase()
  expect((await runCommand(['restore', file], settingsFor(restored))).code).toBe(0)
  const opened = await openDatabase(restored.location)
  const { rows } = await sql`select total_scans, last_scanned_at, (select count(*) from journal_texts) as waiting,
      (select count(*) from scans where target_id = ${target_id}) as scans
    from scan_totals where target_id = ${target_id}`.execute(opened.kysely)
  expect(rows).toEqual([{ total_scans: 8, last_scanned_at: expect.anything(), waiting: 0, scans: 8 }])
  await opened.close()
  await restored.drop()
})
