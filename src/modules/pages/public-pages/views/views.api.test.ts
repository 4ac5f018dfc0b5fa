/** Views of pages are stored and counted exactly once, also through outages and crashes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { timestamp } from '../../../../platform/clock/index.ts'
import { openDatabase } from '../../../../platform/db/open.ts'
import type { Database } from '../../../../platform/db/types.ts'
import { newId, newIdAt, type OrgId } from '../../../../platform/ids/index.ts'
import { createLogger } from '../../../../platform/telemetry/logging.ts'
import { createDatabase, type TestDatabase } from '../../../../testing/engines/database.ts'
import { eventually } from '../../../../testing/eventually.ts'
import { createOrganisation } from '../../../account/organisations/index.ts'
import { openViewRecorder } from './record-view.ts'
import { type StoredView, storeViews } from './store-views.ts'

const NOW_MS = 1_800_000_000_000
const log = createLogger('silent')

const store = (views: StoredView[]) => database.write((tx) => storeViews(tx, views))

let files: TestDatabase
let database: Database
let acme: OrgId
beforeAll(async () => {
  files = await createDatabase()
  database = await openDatabase(files.location)
  const now = timestamp(NOW_MS)
  acme = await database.write(async (tx) => (await createOrganisation(tx, { name: 'Acme', slug: 'acme' }, now)).id)
})
afterAll(async () => {
  await database.close()
  await files.drop()
})

/** A page has its counters, also after it was deleted. */
async function createCounters(): Promise<string> {
  const page_id = newId()
  await database.write((tx) =>
    tx.insertInto('page_counters').values({ page_id, org_id: acme, view_count: 0, submission_count: 0 }).execute(),
  )
  return page_id
}

const viewOf = (page_id: string, org_id: OrgId = acme): StoredView => ({
  org_id,
  id: newIdAt(NOW_MS),
  page_id,
  viewed_at: timestamp(NOW_MS),
})

async function countsOf(pageId: string): Promise<{ rows: number; count: number }> {
  const rows = await database.read
    .selectFrom('page_views')
    .select('id')
    .where('org_id', '=', acme)
    .where('page_id', '=', pageId)
    .execute()
  const { view_count } = await database.read
    .selectFrom('page_counters')
    .select('view_count')
    .where('org_id', '=', acme)
    .where('page_id', '=', pageId)
    .executeTakeFirstOrThrow()
  return { rows: rows.length, count: Number(view_count) }
}

test('views of an organisation that was erased meanwhile are left out, and the others are stored', async () => {
  const page = await createCounters()
  const erased = newId() as OrgId
  await store([viewOf(page), viewOf(newId(), erased)])
  const left = database.read.selectFrom('page_views').select('id').where('org_id', '=', erased)
  expect([await countsOf(page), await left.execute()]).toEqual([{ rows: 1, count: 1 }, []])
})

test('a view that is stored again is counted once, and the submission count stays', async () => {
  const pages = [await createCounters(), await createCounters()] as const
  const views = pages.flatMap((page) => Array.from({ length: 5 }, () => viewOf(page)))
  await store(views)
  await Promise.all([store(views.toReversed()), store([...views, viewOf(pages[0])])])
  expect(await Promise.all(pages.map(countsOf))).toEqual([
    { rows: 6, count: 6 },
    { rows: 5, count: 5 },
  ])
})

test('batches that count the same pages in any order do not block each other', async () => {
  const pages = await Promise.all(Array.from({ length: 10 }, createCounters))
  await Promise.all(
    Array.from({ length: 40 }, (_, n) => store((n % 2 ? pages : pages.toReversed()).map((page) => viewOf(page)))),
  )
  for (const page of pages) expect(await countsOf(page)).toEqual({ rows: 40, count: 40 })
})

test('views of a page or an organisation that was erased do no harm', async () => {
  const page = await createCounters()
  await store([viewOf(newId()), viewOf(newId(), newId() as OrgId), viewOf(page)])
  expect(await countsOf(page)).toEqual({ rows: 1, count: 1 })
})

test('while views cannot be stored they are durable in the journal, and counted once later', async () => {
  const page = await createCounters()
  const folder = join(files.folder, 'views')
  const recorder = openViewRecorder(database, folder, log)
  const record = (view: StoredView) => new Promise<void>((resolve) => recorder.record(view, resolve))
  await sql`alter table page_views rename to page_views_elsewhere`.execute(database.kysely)
  await Promise.all(Array.from({ length: 30 }, () => record(viewOf(page))))
  await sql`alter table page_views_elsewhere rename to page_views`.execute(database.kysely)
  expect(recorder.lost.count).toBe(0)
  await eventually(async () => (await countsOf(page)).count === 30)
  await record(viewOf(page))
  await recorder.close()
  expect(await countsOf(page)).toEqual({ rows: 31, count: 31 })
  expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([])
})

test('views in the journal of a process that was killed are stored by the next one', async () => {
  const page = await createCounters()
  const folder = join(files.folder, 'killed')
  const views = Array.from({ length: 20 }, () => viewOf(page))
  const script = `
    import { Journal } from ${JSON.stringify(new URL('../../../../platform/recording/journal.ts', import.meta.url).href)}
    const journal = new Journal(${JSON.stringify(folder)}, { entries: 'views', version: 4 })
    // A text for each, as older releases wrote them.
    await journal.append(${JSON.stringify(views.map((view) => JSON.stringify(view)))})
    console.log('durable')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  await store(views.slice(0, 7))
  const recorder = openViewRecorder(database, folder, log)
  await eventually(async () => (await countsOf(page)).count === 20)
  await recorder.close()
  expect(await countsOf(page)).toEqual({ rows: 20, count: 20 })
})
