/** Who hears of a change, and when: in the same process on both engines, in another one on PostgreSQL. */
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { createDatabase, type TestDatabase } from '../../testing/engines/database.ts'
import { eventually } from '../../testing/eventually.ts'
import { newId } from '../ids/index.ts'
import { announce } from './announcements.ts'
import { openDatabase } from './open.ts'
import type { Database } from './types.ts'

let files: TestDatabase
let opened: Database[]

beforeEach(async () => {
  files = await createDatabase()
  opened = []
})
afterEach(async () => {
  for (const database of opened) await database.close()
  await files.drop()
})

async function open(): Promise<Database> {
  const database = await openDatabase(files.location)
  opened.push(database)
  return database
}

/** Everything that is told, in order. */
function listenTo(database: Database) {
  const heard: string[] = []
  const stop = database.listen({
    changed: (topic, key) => heard.push(`${topic} ${key}`),
    interrupted: () => heard.push('interrupted'),
    resumed: () => heard.push('resumed'),
  })
  return { heard, stop, resumed: () => eventually(() => heard.at(-1) === 'resumed') }
}

const change = (database: Database, topic: string, ...keys: string[]) =>
  database.write((tx) => announce(tx, topic, keys))

describe('in one process', () => {
  test('a change is told before whoever made it hears that it is done, and not before it is committed', async () => {
    const database = await open()
    const { heard, resumed } = listenTo(database)
    await resumed()
    await database.write(async (tx) => {
      await announce(tx, 'things', ['a', 'b'])
      await announce(tx, 'others', ['key with spaces 🏷'])
      expect(heard).toEqual(['resumed'])
    })
    expect(heard.slice(0, 4)).toEqual(['resumed', 'things a', 'things b', 'others key with spaces 🏷'])
  })

  test('what rolls back is told to nobody', async () => {
    const database = await open()
    const { heard, resumed } = listenTo(database)
    await resumed()
    const failing = database.write(async (tx) => {
      await announce(tx, 'things', ['ghost'])
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    await change(database, 'things', 'real')
    expect(new Set(heard)).toEqual(new Set(['resumed', 'things real']))
  })

  test('nothing at all can be announced', async () => {
    const database = await open()
    const { heard, resumed } = listenTo(database)
    await resumed()
    await change(database, 'things')
    expect(heard).toEqual(['resumed'])
  })

  test('who comes later is told at once that all is told, and who left is told nothing', async () => {
    const database = await open()
    const first = listenTo(database)
    await first.resumed()
    const second = listenTo(database)
    expect(second.heard).toEqual(['resumed'])
    first.stop()
    await change(database, 'things', 'a')
    expect(first.heard).toEqual(['resumed'])
    expect(second.heard).toContain('things a')
  })
})

describe.runIf(inject('engine') === 'postgres')('between processes', () => {
  /** Ends the connections over which the others listen, as a restart of the server would. */
  const cutListeners = async (database: Database) => {
    const { rows } = await sql<{ pid: number }>`select pg_terminate_backend(pid), pid from pg_stat_activity
      where datname = current_database() and query = 'listen waymark'`.execute(database.kysely)
    return rows.length
  }

  test('a change is told there, in order and once for each', async () => {
    const [here, there] = [await open(), await open()]
    const { heard, resumed } = listenTo(there)
    await resumed()
    const keys = Array.from({ length: 1000 }, (_, n) => `key-${n}`)
    await change(here, 'things', ...keys)
    await change(here, 'others', `${newId()}/09506000134352`)
    await eventually(() => heard.at(-1)?.startsWith('others'))
    expect(heard.slice(1, -1)).toEqual(keys.map((key) => `things ${key}`))
  })

  test('what is told there can be read there', async () => {
    const [here, there] = [await open(), await open()]
    const seen: Promise<unknown>[] = []
    const { resumed } = listenTo(there)
    await resumed()
    const row = (day: string) => ({ day, salt: 's', created_at: '2026-01-01T00:00:00.000+00:00' })
    there.listen({
      changed: (_topic, day) => {
        seen.push(there.read.selectFrom('visitor_salts').select('day').where('day', '=', day).executeTakeFirst())
      },
      interrupted: () => {},
      resumed: () => {},
    })
    for (let n = 0; n < 20; n++) {
      await here.write(async (tx) => {
        await announce(tx, 'days', [`day ${n}`])
        await tx
          .insertInto('visitor_salts')
          .values(row(`day ${n}`))
          .execute()
      })
    }
    await eventually(() => seen.length === 20)
    expect(await Promise.all(seen)).toEqual(Array.from({ length: 20 }, (_, n) => ({ day: `day ${n}` })))
  })

  test('a cut connection is told, and so is that all is told again', async () => {
    const [here, there] = [await open(), await open()]
    const { heard, resumed } = listenTo(there)
    await resumed()
    for (let n = 0; n < 3; n++) {
      heard.length = 0
      expect(await cutListeners(here)).toBe(1)
      await eventually(() => heard.includes('interrupted'))
      await resumed()
      expect(heard.filter((what) => what === 'resumed')).toHaveLength(1)
      await change(here, 'things', `after ${n}`)
      await eventually(() => heard.includes(`things after ${n}`))
    }
  })

  test('one’s own changes are told also while the others’ cannot be', async () => {
    const [here, there] = [await open(), await open()]
    const { heard, resumed } = listenTo(there)
    await resumed()
    await cutListeners(here)
    await eventually(() => heard.at(-1) === 'interrupted')
    await change(there, 'things', 'own')
    expect(heard).toContain('things own')
    await resumed()
  })

  test('closing ends the connection, also while it is cut', async () => {
    const here = await open()
    const there = await openDatabase(files.location)
    const { heard, resumed } = listenTo(there)
    await resumed()
    await cutListeners(here)
    await eventually(() => heard.includes('interrupted'))
    await there.close()
    const { rows } = await sql<{ n: number }>`select count(*) as n from pg_stat_activity
      where datname = current_database() and query = 'listen waymark'`.execute(here.kysely)
    expect(rows[0]!.n).toBe(0)
  })
})
