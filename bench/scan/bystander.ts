import { type Load, LoadGenerator, type Outcome } from '../support/load.ts'
import { median, ms, printTable, whole } from '../support/table.ts'
import type { ScanTarget } from './target.ts'

/** Fifty requests a second: enough to notice who keeps them waiting, too few to keep anybody else. */
const CONNECTIONS = 4
const PAUSE_MS = 80
/** Long enough for a p99 of them. */
const SECONDS = 4
const ROUNDS = 2

export interface Watched {
  target: ScanTarget
  /** What the server wants to see with `GET /v1/me`. */
  headers: Record<string, string>
}

/**
 * Whoever asks the API for something small while scans come in at full speed. What mere want of processors costs them
 * shows beside a server that does nothing for `/v1/me`.
 */
export async function compareBystanders(
  servers: readonly Watched[],
  scans: { codesUsed: number; connections: number },
): Promise<void> {
  await using watcher = await LoadGenerator.start()
  const watch = ({ target, headers }: Watched, seconds: number): Promise<Outcome> => {
    const asked: Pick<Load, 'method' | 'path'> = { method: 'GET', path: '/v1/me' }
    const { port } = target.server
    return watcher.run({ port, ...asked, headers, connections: CONNECTIONS, seconds, pauseMs: PAUSE_MS })
  }

  const rows = servers.map(({ target }) => ({
    name: target.name,
    alone: [] as Outcome[],
    meanwhile: [] as Outcome[],
    scansPerSecond: [] as number[],
  }))
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, server] of servers.entries()) {
      rows[index]?.alone.push(await watch(server, SECONDS))
      // Scans begin before and end after what is watched.
      const scanning = server.target.run({ ...scans, seconds: SECONDS + 1 })
      await new Promise((resolve) => setTimeout(resolve, 500))
      rows[index]?.meanwhile.push(await watch(server, SECONDS))
      rows[index]?.scansPerSecond.push((await scanning).perSecond)
    }
  }
  const middle = (outcomes: Outcome[], pick: (outcome: Outcome) => number) => ms(median(outcomes.map(pick)))
  printTable(
    [
      `GET /v1/me, ${scans.connections} connections scanning`,
      'alone p50',
      'p99',
      'meanwhile p50',
      'p99',
      'max',
      'scans/s',
    ],
    rows.map(({ name, alone, meanwhile, scansPerSecond }) => [
      name,
      middle(alone, ({ p50Ms }) => p50Ms),
      middle(alone, ({ p99Ms }) => p99Ms),
      middle(meanwhile, ({ p50Ms }) => p50Ms),
      middle(meanwhile, ({ p99Ms }) => p99Ms),
      middle(meanwhile, ({ maxMs }) => maxMs),
      whole(median(scansPerSecond)),
    ]),
  )
}
