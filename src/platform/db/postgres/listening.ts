import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Announcements, CHANNEL } from '../announcements.ts'

const RETRY_MS = 250
/** A connection can be dead without an event. A query that times out reveals it. */
const HEARTBEAT_MS = 5000

/** Receives announcements of other processes over a separate connection. Returns the function that stops it. */
export function startListening(url: string, announcements: Announcements): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping

  const listenOnce = async () => {
    const client = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: HEARTBEAT_MS,
      query_timeout: HEARTBEAT_MS,
    })
    const lost = new Promise<void>((resolve) => {
      client.on('error', () => resolve())
      client.on('end', () => resolve())
    })
    client.on('notification', ({ payload = '' }) => {
      const space = payload.indexOf(' ')
      announcements.changed(payload.slice(0, space), payload.slice(space + 1))
    })
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      announcements.resumed()
      while (!signal.aborted) {
        await Promise.race([
          lost.then(() => Promise.reject(new Error('lost'))),
          sleep(HEARTBEAT_MS, undefined, { signal }),
        ])
        await client.query('select 1')
      }
    } finally {
      announcements.interrupted()
      await client.end().catch(() => {})
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
