/** A database that cannot be used ends the start with a message that says what to do, and stays as it is. */
import { cp, mkdtemp, open, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkFile } from '../platform/db/sqlite/check-file.ts'
import { UNUSABLE_EXIT_CODE } from '../platform/errors/operator-error.ts'
import { startPostgres } from '../testing/engines/postgres.ts'
import { killProcesses, runCommand, runProcess, startServiceProcess } from '../testing/process.ts'

let folder: string
let template: string
let dataDir: string
let file: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waymark-damaged-'))
  template = join(folder, 'template')
  const service = await startServiceProcess({ DATA_DIR: template })
  service.send('SIGTERM')
  await service.ended
})
beforeEach(async () => {
  dataDir = await mkdtemp(join(folder, 'data-'))
  await cp(template, dataDir, { recursive: true })
  file = join(dataDir, 'waymark.db')
})
afterEach(killProcesses)
afterAll(() => rm(folder, { recursive: true }))

const startOn = (settings: Record<string, string> = {}) =>
  runCommand(['start'], { DATA_DIR: dataDir, PORT: '1', ...settings })

async function overwrite(at: number, bytes: Buffer): Promise<void> {
  const handle = await open(file, 'r+')
  await handle.write(bytes, 0, bytes.length, at)
  await handle.close()
}

describe('a file of SQLite', () => {
  test.each<[how: string, detail: RegExp, damage: () => Promise<void>]>([
    ['with another header', /not a database/, () => overwrite(0, Buffer.from('no database at all'))],
    [
      'that is cut off',
      /malformed/,
      async () => truncate(file, Math.floor((await readFile(file)).length / 8192) * 4096),
    ],
    ['without content', /is empty/, () => truncate(file, 0)],
    [
      'with a bad page in the middle',
      /page|malformed|Tree/,
      async () => overwrite(40 * 4096, Buffer.alloc(4096, 0xa5)),
    ],
    [
      'whose WAL is missing',
      /waymark\.db-wal, which has the last changes, is missing/,
      async () => {
        const database = new DatabaseSync(file)
        database.exec('create table later (id integer)')
        await cp(`${file}-shm`, `${file}-shm.kept`)
        database.close()
        await cp(`${file}-shm.kept`, `${file}-shm`)
      },
    ],
  ])('%s', async (_how, detail, damage) => {
    await damage()
    const before = await readFile(file)
    const { code, stderr } = await startOn()
    expect({ code, stderr }).toEqual({ code: UNUSABLE_EXIT_CODE, stderr: expect.stringMatching(detail) })
    expect(stderr).toContain(`The database ${file} is damaged`)
    expect(stderr).toContain('npx waymark restore')
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect((await readFile(file)).equals(before)).toBe(true)
  })

  test('of another application', async () => {
    await rm(file)
    const other = new DatabaseSync(file)
    other.exec('create table customers (id integer); create table orders (id integer)')
    other.close()
    const { code, stderr } = await startOn()
    expect({ code, stderr }).toEqual({
      code: UNUSABLE_EXIT_CODE,
      stderr:
        'This is not a database of Waymark: it has the tables customers, orders. Nothing was changed. Give Waymark an empty database of its own.\n',
    })
  })

  test('of a newer release', async () => {
    const newer = new DatabaseSync(file)
    newer.exec(`insert into migrations (name, timestamp) values ('9999_later', '2026-11-18')`)
    newer.close()
    const { code, stderr } = await startOn()
    expect({ code, stderr }).toEqual({ code: UNUSABLE_EXIT_CODE, stderr: expect.stringContaining('A newer Waymark') })
  })

  test('without content, because its first start was killed, is used', async () => {
    const empty = join(await mkdtemp(join(folder, 'data-')), 'waymark.db')
    await writeFile(empty, '')
    expect(checkFile(empty)).toBeUndefined()
  })

  test('ends the process without a stack trace', async () => {
    await truncate(file, 0)
    const { code, stderr } = await runProcess(['start'], { DATA_DIR: dataDir })
    expect({ code, lines: stderr.trim().split('\n').length }).toEqual({ code: UNUSABLE_EXIT_CODE, lines: 1 })
  })
})

test('a database of PostgreSQL that belongs to another application, or a newer release', async () => {
  await using postgres = await startPostgres()
  const url = postgres.url('postgres')
  const { default: pg } = await import('pg')
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query('create table customers (id integer)')
    const foreign = await startOn({ DATABASE_URL: url })
    expect(foreign).toMatchObject({
      code: UNUSABLE_EXIT_CODE,
      stderr: expect.stringContaining('it has the tables customers'),
    })
    const { rows } = await client.query(`select count(*)::int as count from pg_class where relname = 'migrations'`)
    expect(rows).toEqual([{ count: 0 }])
    await client.query('drop table customers')
    expect(await runCommand(['migrate'], { DATA_DIR: dataDir, DATABASE_URL: url })).toMatchObject({ code: 0 })
    await client.query(`insert into migrations (name, timestamp) values ('9999_later', '2026-11-18')`)
    const newer = await startOn({ DATABASE_URL: url })
    expect(newer).toMatchObject({ code: UNUSABLE_EXIT_CODE, stderr: expect.stringContaining('A newer Waymark') })
  } finally {
    await client.end()
  }
})
