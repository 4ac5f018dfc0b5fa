/** Changes are reported in the same process on both engines, and to other processes on PostgreSQL. */
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

/** Records everything that is reported, in order. */
function listenTo(database: Database) {
  const received: string[] = []
  const stop = database.listen({
    changed: (topic, key) => received.push(`${topic} ${key}`),
    interrupted: () => received.push('interrupted'),
    resumed: () => received.push('resumed'),
  })
  return { received, stop, resumed: () => eventually(() => received.at(-1) === 'resumed') }
}

const change = (database: Database, topic: string, ...keys: string[]) =>
  database.write((tx) => announce(tx, topic, keys))

describe('in one process', () => {
  test('reports a change after the commit and before `write` resolves', async () => {
    const database = await open()
    const { received, resumed } = listenTo(database)
    await resumed()
    await database.write(async (tx) => {
      await announce(tx, 'things', ['a', 'b'])
      await announce(tx, 'others', ['key with spaces 🏷'])
      expect(received).toEqual(['resumed'])
    })
    expect(received.slice(0, 4)).toEqual(['resumed', 'things a', 'things b', 'others key with spaces 🏷'])
  })

  test('does not report a change that is rolled back', async () => {
    const database = await open()
    const { received, resumed } = listenTo(database)
    await resumed()
    const failing = database.write(async (tx) => {
      await announce(tx, 'things', ['ghost'])
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    await change(database, 'things', 'real')
    expect(new Set(received)).toEqual(new Set(['resumed', 'things real']))
  })

  test('accepts an empty list of keys', async () => {
    const database = await open()
    const { received, resumed } = listenTo(database)
    await resumed()
    await change(database, 'things')
    expect(received).toEqual(['resumed'])
  })

  test('a new listener gets `resumed` at once, and a stopped one gets nothing', async () => {
    const database = await open()
    const first = listenTo(database)
    await first.resumed()
    const second = listenTo(database)
    expect(second.received).toEqual(['resumed'])
    first.stop()
    await change(database, 'things', 'a')
    expect(first.received).toEqual(['resumed'])
    expect(second.received).toContain('things a')
  })
})

describe.runIf(inject('engine') === 'postgres')('between processes', () => {
  /** Terminates the connections of the listeners, as a restart of the server would. */
  const cutListeners = async (database: Database) => {
    const { rows } = await sql<{ pid: number }>`select pg_terminate_backend(pid), pid from pg_stat_activity
      where datname = current_database() and query = 'listen waymark'`.execute(database.kysely)
    return rows.length
  }

  test('reports every change to another process, once and in order', async () => {
    const [sender, receiver] = [await open(), await open()]
    const { received, resumed } = listenTo(receiver)
    await resumed()
    const keys = Array.from({ length: 1000 }, (_, n) => `key-${n}`)
    await change(sender, 'things', ...keys)
    await change(sender, 'others', `${newId()}/09506000134352`)
    await eventually(() => received.at(-1)?.startsWith('others'))
    expect(received.slice(1, -1)).toEqual(keys.map((key) => `things ${key}`))
  })

  test('another process can read a row as soon as the change is reported', async () => {
    const [sender, receiver] = [await open(), await open()]
    const seen: Promise<unknown>[] = []
    const { resumed } = listenTo(receiver)
    await resumed()
    const row = (day: string) => ({ day, salt: 's', created_at: '2026-01-01T00:00:00.000+00:00' })
    receiver.listen({
      changed: (_topic, day) => {
        seen.push(receiver.read.selectFrom('visitor_salts').select('day').where('day', '=', day).executeTakeFirst())
      },
      interrupted: () => {},
      resumed: () => {},
    })
    for (let n = 0; n < 20; n++) {
      await sender.write(async (tx) => {
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

  test('reports `interrupted` when the connection is lost and `resumed` when it is back', async () => {
    const [sender, receiver] = [await open(), await open()]
    const { received, resumed } = listenTo(receiver)
    await resumed()
    for (let n = 0; n < 3; n++) {
      received.length = 0
      expect(await cutListeners(sender)).toBe(1)
      await eventually(() => received.includes('interrupted'))
      await resumed()
      expect(received.filter((message) => message === 'resumed')).toHaveLength(1)
      await change(sender, 'things', `after ${n}`)
      await eventually(() => received.includes(`things after ${n}`))
    }
  })

  test('reports changes of its own process even while the connection is down', async () => {
    const [sender, receiver] = [await open(), await open()]
    const { received, resumed } = listenTo(receiver)
    await resumed()
    await cutListeners(sender)
    await eventually(() => received.at(-1) === 'interrupted')
    await change(receiver, 'things', 'own')
    expect(received).toContain('things own')
    await resumed()
  })

  test('closing while the connection is down leaves no connection open', async () => {
    const sender = await open()
    const receiver = await openDatabase(files.location)
    const { received, resumed } = listenTo(receiver)
    await resumed()
    await cutListeners(sender)
    await eventually(() => received.includes('interrupted'))
    await receiver.close()
    const { rows } = await sql<{ n: number }>`select count(*) as n from pg_stat_activity
      where datname = current_database() and query = 'listen waymark'`.execute(sender.kysely)
    expect(rows[0]!.n).toBe(0)
  })
})
