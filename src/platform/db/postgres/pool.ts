import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { SECOND_MS } from '../../clock/index.ts'
import { DatabaseUnavailable } from '../failures.ts'
import type { StatementObserver } from '../types.ts'
import { toError } from './failures.ts'
import type { ServerWatch } from './server-watch.ts'
import { WITHOUT_STATEMENT_TIMEOUT } from './timeouts.ts'
import { WatchedClient, type WatchedClientConfig } from './watched-client.ts'

const CONNECT_TIMEOUT_MS = 3 * SECOND_MS
const KEEP_ALIVE_MS = 10 * SECOND_MS
/** Callers that wait for a connection. Beyond this, a caller fails at once. */
const WAITING_MAX = 1000
/** Together they limit the memory for statements: a list of ids has a parameter for each of them. */
const PREPARED_MAX = 500
const PREPARED_LENGTH_MAX = 8192

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

interface PoolLimits {
  connectionsMax: number
  /** How long the server may work on a statement. */
  statementMsMax: number
  /** How long a transaction may wait for its next statement. It may hold locks that others wait for. */
  idleInTransactionMsMax: number
}

/** The server ends a slow statement itself. This is for a server that does not even do that. */
const RESPONSE_MARGIN_MS = 500
/** Shorter than the limit of a statement, so that waiting for a lock ends with an error of its own. */
const LOCK_MS_MAX = 3 * SECOND_MS

export function createPool(url: string, watch: ServerWatch, limits: PoolLimits): pg.Pool {
  const { connectionsMax, statementMsMax, idleInTransactionMsMax } = limits
  const config: pg.PoolConfig & WatchedClientConfig = {
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: types as pg.CustomTypesConfig,
    Client: WatchedClient as unknown as new () => pg.ClientBase,
    watch,
    responseMsMax: statementMsMax + RESPONSE_MARGIN_MS,
    onConnect: async (client) => {
      await client.query(`set timezone = 'UTC'; set lock_timeout = ${LOCK_MS_MAX};
        set statement_timeout = ${statementMsMax}; set idle_in_transaction_session_timeout = ${idleInTransactionMsMax}`)
    },
  }
  const pool = new pg.Pool(config)
  // The pool replaces a lost connection when it needs it.
  pool.on('error', () => {})
  return pool
}

/** Wraps the pool for Kysely, so that every statement is prepared once per connection. */
export function withPreparedStatements(pool: pg.Pool, watch: ServerWatch, observe: StatementObserver): PostgresPool {
  const names = new Map<string, string>()
  const nameOf = (text: string): string | undefined => {
    let name = names.get(text)
    if (name === undefined && names.size < PREPARED_MAX && text.length <= PREPARED_LENGTH_MAX) {
      name = `waymark_${names.size}`
      names.set(text, name)
    }
    return name
  }
  const wrap = (client: pg.PoolClient & WatchedClient): PostgresPoolClient => ({
    query: (async (text: string, parameters: unknown[]) => {
      observe(text, parameters)
      if (text === WITHOUT_STATEMENT_TIMEOUT) client.liftLimit()
      const name = nameOf(text)
      const values = parameters.map(toPostgres)
      try {
        return await (client as pg.Client).query(name === undefined ? { text, values } : { name, text, values })
      } catch (error) {
        throw toError(error)
      }
    }) as unknown as PostgresPoolClient['query'],
    release: (destroy) => client.release(destroy),
  })
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    options: pool.options,
    connect: async () => {
      if (pool.waitingCount >= WAITING_MAX) {
        throw new DatabaseUnavailable('too many callers wait for a connection to PostgreSQL', undefined)
      }
      const requestedAt = watch.tick
      try {
        const client = (await pool.connect()) as pg.PoolClient & WatchedClient
        client.handedOut(requestedAt)
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
