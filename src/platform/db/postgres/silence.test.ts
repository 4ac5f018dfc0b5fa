import { sql } from 'kysely'
import { afterAll, test as base, beforeAll, describe, expect } from 'vitest'
import { startPostgres, type TestPostgres } from '../../../testing/engines/postgres.ts'
import { SilentProxy } from '../../../testing/engines/silent-proxy.ts'
import { eventually } from '../../../testing/eventually.ts'
import { QueueFull } from '../../bounded/index.ts'
import type { OrgId } from '../../ids/index.ts'
import { DatabaseUnavailable } from '../failures.ts'
import type { Database, Db } from '../types.ts'
import { openPostgres, type PostgresOptions } from './index.ts'
import { disableTimeouts } from './timeouts.ts'

const CONNECTIONS = 5

let server: TestPostgres

beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())

/** Each test has its own proxy and connections. */
const test = base.extend<{ proxy: SilentProxy; open: (options?: PostgresOptions) => Promise<Database> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest requires it
  proxy: async ({}, use) => {
    await using proxy = await SilentProxy.start(server.url('postgres'))
    await use(proxy)
  },
  open: async ({ proxy }, use) => {
    const opened: Database[] = []
    await use(async (options = {}) => {
      const database = await openPostgres(proxy.url, { connectionsMax: CONNECTIONS, ...options })
      opened.push(database)
      return database
    })
    await Promise.all(opened.map((database) => database.close()))
  },
})

const ask = (db: Db) =>
  sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db).then(({ rows }) => rows[0]?.pid)
const sleep = (db: Db, seconds: number) => sql`select pg_sleep(${seconds})`.execute(db)
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => 'no failure',
    (error: unknown) => error,
  )
const expectUnavailable = async (work: Promise<unknown>[]) => {
  for (const failure of await Promise.all(work.map(failureOf))) expect(failure).toBeInstanceOf(DatabaseUnavailable)
}

describe.concurrent('a server that stops responding', () => {
  test('fails every statement, whether it was running, is new, or waits for a connection', async ({ proxy, open }) => {
    const database = await open()
    const inTransaction = Promise.withResolvers<void>()
    const silenced = Promise.withResolvers<void>()
    const transaction = database.write(async (tx) => {
      await ask(tx)
      inTransaction.resolve()
      await silenced.promise
      await ask(tx)
    })
    await inTransaction.promise
    const running = [database.read, database.readLong].map((db) => sleep(db, 29))
    proxy.silence()
    silenced.resolve()
    const waiting = Array.from({ length: 10 * CONNECTIONS }, () => ask(database.read))
    await expectUnavailable([transaction, ...running, ...waiting, ask(database.readLong), database.write(ask)])
  })

  test('is used again as soon as it responds', async ({ proxy, open }) => {
    const database = await open()
    await Promise.all(Array.from({ length: CONNECTIONS }, () => ask(database.read)))
    for (let round = 0; round < 2; round++) {
      proxy.silence()
      await expectUnavailable([ask(database.read), ask(database.readLong)])
      proxy.resume()
      await eventually(() => database.write(ask).catch(() => undefined))
      await ask(database.readLong)
    }
  })

  test('does not keep the database from being closed', async ({ proxy, open }) => {
    const database = await open()
    const listening = Promise.withResolvers<void>()
    database.listen({ changed: () => {}, interrupted: () => {}, resumed: listening.resolve })
    await Promise.all([listening.promise, ask(database.readLong)])
    proxy.silence()
    const running = [ask(database.read), database.write(ask)]
    await database.close()
    await expectUnavailable(running)
  })
})

describe.concurrent('a connection that stops responding', () => {
  test('is closed and fails its transaction, while others are opened and work', async ({ proxy, open }) => {
    const statements: string[] = []
    const database = await open({ connectionsMax: 2, observe: (text) => statements.push(text) })
    const stuck = database.write(async (tx) => {
      await ask(tx)
      proxy.silenceOpenConnections()
      await ask(tx)
    })
    await expectUnavailable([stuck])
    // Sent over the closed connection, so nobody waited for it.
    expect(statements.at(-1)).toBe('rollback')
    expect(new Set(await Promise.all([ask(database.read), database.write(ask)])).size).toBe(2)
  })

  test('shows that idle ones may be dead, too, so that they are not tried one after the other', async ({
    proxy,
    open,
  }) => {
    const database = await open()
    await Promise.all(Array.from({ length: CONNECTIONS }, () => sleep(database.read, 0.1)))
    proxy.silenceOpenConnections()
    await expectUnavailable([ask(database.read)])
    for (let n = 0; n < CONNECTIONS; n++) expect(await failureOf(ask(database.read))).toBe('no failure')
  })
})

describe.concurrent('a slow statement', () => {
  test('is ended by the server if it belongs to a request, and the connection is kept', async ({ open }) => {
    const database = await open()
    const pid = await ask(database.read)
    await expectUnavailable([sleep(database.read, 20)])
    expect(await ask(database.read)).toBe(pid)
  })

  test('is not mistaken for silence if it is a long read or maintenance', async ({ open }) => {
    const database = await open()
    await Promise.all([
      sleep(database.readLong, 5),
      database.snapshot((db) => sleep(db, 5)),
      database.write(async (tx) => {
        await disableTimeouts(tx)
        await sleep(tx, 5)
      }),
    ])
  })

  test('has its limit back after maintenance on the same connection', async ({ proxy, open }) => {
    const database = await open({ connectionsMax: 1 })
    await database.write(disableTimeouts)
    proxy.silenceOpenConnections()
    await expectUnavailable([ask(database.read)])
  })
})

describe.concurrent('transactions', () => {
  const [acme, other] = ['acme', 'other'] as [OrgId, OrgId]

  test('of one organisation leave connections to others, to reads and to the service', async ({ open }) => {
    const database = await open()
    const done = Promise.withResolvers<void>()
    let started = 0
    const held = Array.from({ length: 20 }, () =>
      database.write(async (tx) => {
        started++
        await ask(tx)
        await done.promise
      }, acme),
    )
    await eventually(() => started > 0 && database.writeQueue.waiting > 0)
    await Promise.all([ask(database.read), database.write(ask, other), database.write(ask)])
    expect(started).toBe(CONNECTIONS - 3)
    done.resolve()
    await Promise.all(held.map(failureOf))
    expect(await failureOf(database.write(ask, acme))).toBe('no failure')
  })

  test('beyond the limit are refused at once', async ({ open }) => {
    const database = await open()
    const done = Promise.withResolvers<void>()
    const writes = Array.from({ length: 300 }, () => failureOf(database.write(() => done.promise, acme)))
    expect(await Promise.race(writes)).toBeInstanceOf(QueueFull)
    expect(database.writeQueue.waiting).toBe(200)
    done.resolve()
    await Promise.all(writes)
  })
})
