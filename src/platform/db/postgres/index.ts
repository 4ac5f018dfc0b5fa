import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { OperatorError } from '../../errors/operator-error.ts'
import { Announcements } from '../announcements.ts'
import { DatabaseUnavailable } from '../failures.ts'
import type { Database, StatementObserver, Tables, Tx } from '../types.ts'
import { isRetryable, toError } from './failures.ts'
import { startListening } from './listening.ts'
import { disableTimeouts } from './timeouts.ts'

export interface PostgresOptions {
  observe?: StatementObserver
  connectionsMax?: number
}

/** A duplicate request waits at most 5 s for the first one, so no lock may take longer. */
const SESSION = `set timezone = 'UTC'; set lock_timeout = '5s'; set statement_timeout = '30s';
  set idle_in_transaction_session_timeout = '30s'`
const CONNECT_TIMEOUT_MS = 5000
const ATTEMPTS_MAX = 5
const PREPARED_MAX = 500

const TIMESTAMPTZ = 1184
const BIGINT = 20

/** `2026-06-09 22:50:58.8+00` → `2026-06-09T22:50:58.800+00:00`. */
export function canonicalTimestamp(text: string): string {
  const millis = text.length > 22 ? text.slice(20, -3).padEnd(3, '0') : '000'
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${millis}+00:00`
}

const parsers: Record<number, (text: string) => unknown> = {
  [TIMESTAMPTZ]: canonicalTimestamp,
  [BIGINT]: Number,
}
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    parsers[oid] ?? pg.types.getTypeParser(oid, format as 'text'),
}

export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Database> {
  const { observe = () => {}, connectionsMax = 10 } = options
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    types: types as pg.CustomTypesConfig,
    onConnect: async (client) => {
      // A lost connection already fails its query. Without a listener it would crash the process, too.
      client.on('error', () => {})
      await client.query(SESSION)
    },
  })
  // The same for idle connections: the pool replaces a lost one when it needs it.
  pool.on('error', () => {})
  try {
    await refuseUnsafeSettings(pool)
  } catch (error) {
    await pool.end()
    throw error
  }

  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: withPreparedStatements(pool, observe) }) })
  const announcements = new Announcements()
  let stopListening: (() => Promise<void>) | undefined
  return {
    engine: 'postgres',
    read: kysely,
    readLong: kysely,
    write: async (work) => {
      for (let attempt = 1; ; attempt++) {
        try {
          let committed: Tx | undefined
          const result = await kysely.transaction().execute((tx: Tx) => {
            committed = tx
            return work(tx)
          })
          if (committed !== undefined) announcements.committed(committed)
          return result
        } catch (error) {
          if (attempt === ATTEMPTS_MAX || !isRetryable(error)) throw error
        }
      }
    },
    snapshot: (work) =>
      kysely
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute(async (tx) => {
          await disableTimeouts(tx)
          return work(tx)
        }),
    writeAlone: async (query) => {
      await kysely.executeQuery(query)
    },
    kysely,
    listen: (listener) => {
      stopListening ??= startListening(url, announcements)
      return announcements.listen(listener)
    },
    close: async () => {
      await stopListening?.()
      await kysely.destroy()
    },
  }
}

/** If one of these settings is off, a power cut can lose a commit that PostgreSQL has acknowledged. */
async function refuseUnsafeSettings(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string; setting: string }>(
    "select name, setting from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'server_version_num')",
  )
  const settings = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
  const off = ['fsync', 'full_page_writes', 'synchronous_commit'].filter((name) => settings[name] === 'off')
  if (off.length > 0) {
    throw new OperatorError(
      `PostgreSQL runs with ${off.map((name) => `${name} = off`).join(' and ')}, which can lose committed data in a power cut. Turn it on.`,
    )
  }
  if (Number(settings.server_version_num) < 150_000)
    throw new OperatorError('PostgreSQL is too old. Waymark needs version 15 or later.')
}

/** Wraps the pool for Kysely, so that every statement is prepared once per connection. */
function withPreparedStatements(pool: pg.Pool, observe: StatementObserver): PostgresPool {
  const names = new Map<string, string>()
  const nameOf = (text: string): string | undefined => {
    let name = names.get(text)
    if (name === undefined && names.size < PREPARED_MAX) {
      name = `waymark_${names.size}`
      names.set(text, name)
    }
    return name
  }
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  const wrap = (client: pg.PoolClient): PostgresPoolClient => ({
    query: (async (text: string, parameters: unknown[]) => {
      observe(text, parameters)
      const name = nameOf(text)
      const values = parameters.map(toPostgres)
      try {
        return await client.query(name === undefined ? { text, values } : { name, text, values })
      } catch (error) {
        throw toError(error)
      }
    }) as unknown as PostgresPoolClient['query'],
    release: (destroy) => client.release(destroy),
  })
  return {
    options: pool.options,
    connect: async () => {
      try {
        const client = await pool.connect()
        const wrapped = clients.get(client) ?? wrap(client)
        clients.set(client, wrapped)
        return wrapped
      } catch (error) {
        throw new DatabaseUnavailable((error as Error).message, error)
      }
    },
    end: () => pool.end(),
  }
}

/** `pg` would send a JavaScript array as a PostgreSQL array. Our arrays are always JSON. */
const toPostgres = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Buffer.isBuffer(value) ? JSON.stringify(value) : value
