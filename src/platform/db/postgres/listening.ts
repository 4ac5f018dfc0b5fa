import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Announcements, CHANNEL } from '../announcements.ts'

const RETRY_MS = 250
/** A connection can be dead without an event. A query that times out reveals it. */
const HEARTBEAT_MS = 5000

/** Receives announcements of other processes over a separate connection. Returns the function that stops it. */
export function startListening(
  url: string,
  announcements: Announcements,
  heartbeatMs = HEARTBEAT_MS,
): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping

  const listenOnce = async () => {
    const client = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: HEARTBEAT_MS,
      query_timeout: HEARTBEAT_MS,
    })
    const lost = new AbortController()
    client.on('error', () => lost.abort())
    client.on('end', () => lost.abort())
    client.on('notification', ({ payload = '' }) => {
      const space = payload.indexOf(' ')
      announcements.changed(payload.slice(0, space), payload.slice(space + 1))
    })
    // Closing the connection properly needs an answer of the server, which may never come.
    const disconnect = () => client.connection.stream.destroy()
    signal.addEventListener('abort', disconnect)
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      announcements.resumed()
      for (;;) {
        await sleep(heartbeatMs, undefined, { signal: lost.signal })
        await client.query('select 1')
      }
    } finally {
      announcements.interrupted()
      signal.removeEventListener('abort', disconnect)
      disconnect()
    }
  }

  const running = (async () => {
    while (!signal.aborted) {
      await listenOnce().catch(() => {})
      await sleep(RETRY_MS, undefined, { signal }).catch(() => {})
    }
  })()
  return () => {
    stopping.abort()
    return running
  }
}
