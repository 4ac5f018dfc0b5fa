import { type Load, LoadGenerator, type LoadResult } from '../support/load.ts'
import { median, ms, printTable, whole } from '../support/table.ts'
import type { ScanTarget } from './target.ts'

/** 50 requests a second: enough to notice delays, too few to cause any. */
const CONNECTIONS = 4
const PAUSE_MS = 80
/** Long enough for a meaningful p99. */
const SECONDS = 4
const ROUNDS = 2

export interface WatchedServer {
  target: ScanTarget
  /** The headers of `GET /v1/me`. */
  headers: Record<string, string>
}

/**
 * Measures a small API request while scans arrive at full speed. The durable limit does no work for `/v1/me`, so its
 * row shows how much of the delay comes from CPU contention alone.
 */
export async function compareApiLatency(
  servers: readonly WatchedServer[],
  scans: { codesUsed: number; connections: number },
): Promise<void> {
  await using watcher = await LoadGenerator.start()
  const watch = ({ target, headers }: WatchedServer, seconds: number): Promise<LoadResult> => {
    const request: Pick<Load, 'method' | 'path'> = { method: 'GET', path: '/v1/me' }
    const { port } = target.server
    return watcher.run({ port, ...request, headers, connections: CONNECTIONS, seconds, pauseMs: PAUSE_MS })
  }

  const rows = servers.map(({ target }) => ({
    name: target.name,
    idle: [] as LoadResult[],
    underLoad: [] as LoadResult[],
    scansPerSecond: [] as number[],
  }))
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, server] of servers.entries()) {
      rows[index]?.idle.push(await watch(server, SECONDS))
      // The scans start before the watched requests and end after them.
      const scanning = server.target.run({ ...scans, seconds: SECONDS + 1 })
      await new Promise((resolve) => setTimeout(resolve, 500))
      rows[index]?.underLoad.push(await watch(server, SECONDS))
      rows[index]?.scansPerSecond.push((await scanning).perSecond)
    }
  }
  const middle = (outcomes: LoadResult[], pick: (outcome: LoadResult) => number) => ms(median(outcomes.map(pick)))
  printTable(
    [
      `GET /v1/me, ${scans.connections} connections scanning`,
      'idle p50',
      'p99',
      'under load p50',
      'p99',
      'max',
      'scans/s',
    ],
    rows.map(({ name, idle, underLoad, scansPerSecond }) => [
      name,
      middle(idle, ({ p50Ms }) => p50Ms),
      middle(idle, ({ p99Ms }) => p99Ms),
      middle(underLoad, ({ p50Ms }) => p50Ms),
      middle(underLoad, ({ p99Ms }) => p99Ms),
      middle(underLoad, ({ maxMs }) => maxMs),
      whole(median(scansPerSecond)),
    ]),
  )
}
