import pg from 'pg'
import { SECOND_MS } from '../../clock/index.ts'
import type { ServerWatch } from './server-watch.ts'
import { WatchedClient, type WatchedClientConfig } from './watched-client.ts'

const KEEP_ALIVE_MS = 10 * SECOND_MS

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
  /** How long a request waits for a connection, and a statement for a lock. */
  waitMsMax: number
  /** How long the server may work on a statement. */
  statementMsMax: number
  /** How long a transaction may wait for its next statement. It may hold locks that others wait for. */
  idleInTransactionMsMax: number
}

/** The server ends a slow statement itself. This is for a server that does not even do that. */
const RESPONSE_MARGIN_MS = 500

export function createPool(url: string, watch: ServerWatch, limits: PoolLimits): pg.Pool {
  const { connectionsMax, waitMsMax, statementMsMax, idleInTransactionMsMax } = limits
  const config: pg.PoolConfig & WatchedClientConfig = {
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: waitMsMax,
    keepAlive: true,
    // A statement is sent even if an earlier one has no response yet.
    pipeline: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: types as pg.CustomTypesConfig,
    Client: WatchedClient as unknown as new () => pg.ClientBase,
    watch,
    responseMsMax: statementMsMax + RESPONSE_MARGIN_MS,
    onConnect: async (client) => {
      await client.query(`set timezone = 'UTC'; set lock_timeout = ${waitMsMax};
        set statement_timeout = ${statementMsMax}; set idle_in_transaction_session_timeout = ${idleInTransactionMsMax}`)
    },
  }
  const pool = new pg.Pool(config)
  // The pool replaces a lost connection when it needs it.
  pool.on('error', () => {})
  return pool
}
