import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { printTable, whole } from '../../bench/support/table.ts'
import { openDatabase } from '../../src/platform/db/open.ts'
import { Client } from '../../src/testing/client.ts'
import { PHONE } from '../../src/testing/data/scans.ts'
import { freePort, startPostgres } from '../../src/testing/engines/postgres.ts'
import { createFirstKey } from '../../src/testing/process.ts'
import { Caddy, findCaddy, NO_CADDY } from '../../src/testing/world/caddy.ts'
import { type Restartable, restartable } from '../restartable.ts'

export const about = 'two instances behind Caddy are restarted one after the other under load, and no request is lost'

interface Size {
  /** Each sends one request after the other, over TLS. */
  clients: number
  pauseMs: number
  /** How often each of the two instances is restarted. */
  restarts: number
  drainSeconds: number
}

const FULL: Size = { clients: 16, pauseMs: 0, restarts: 3, drainSeconds: 4 }
const HOST = 'localhost'

export interface Report {
  requests: number
  perSecond: number
  restarts: number
  /** Requests that got another response than the expected one, or none. */
  lost: number
  slowestMs: number
  scans: number
  storedScans: number
  writes: number
  storedWrites: number
}

export async function run(): Promise<void> {
  const program = await findCaddy()
  if (program === undefined) {
    console.log(`Skipped: ${NO_CADDY}`)
    return
  }
  const report = await drill(program, FULL)
  printTable(
    ['requests', 'requests/s', 'restarts', 'lost', 'slowest, ms', 'scans', 'stored', 'writes', 'stored'],
    [Object.values(report).map((value) => whole(value))],
  )
  check(report, FULL)
}

export function check(report: Report, { restarts }: Size): void {
  const { lost, scans, storedScans, writes, storedWrites } = report
  if (report.restarts !== 2 * restarts) throw new Error(`${report.restarts} restarts were made`)
  if (lost > 0) throw new Error(`${lost} requests were lost`)
  if (scans === 0 || storedScans !== scans) throw new Error(`${scans} scans were redirected, ${storedScans} are stored`)
  if (writes === 0 || storedWrites !== writes)
    throw new Error(`${writes} writes were acknowledged, not ${storedWrites}`)
}

export async function drill(program: string, { clients, pauseMs, restarts, drainSeconds }: Size): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-drill-'))
  await using postgres = await startPostgres()
  const url = postgres.url('postgres')
  const settings = {
    DATA_DIR: folder,
    DATABASE_URL: url,
    TRUST_PROXY: '127.0.0.1',
    DRAIN_SECONDS: String(drainSeconds),
    RATE_LIMIT_PER_MINUTE: '1000000',
    RATE_LIMIT_PER_HOUR: '1000000',
  }
  const ports = [await freePort(), await freePort()]
  const instances: Restartable[] = ports.map((port) => restartable({ ...settings, PORT: String(port) }))
  try {
    const [first] = await Promise.all(instances.map((instance) => instance.start()))
    const apiKey = await createFirstKey(settings)
    const path = await createCode(new Client(first?.url ?? '', apiKey))
    await using caddy = await Caddy.start({ program, hosts: HOST, upstreams: ports.map((port) => `127.0.0.1:${port}`) })
    const authorization = `Bearer ${apiKey}`
    const report = { requests: 0, perSecond: 0, restarts: 0, lost: 0, slowestMs: 0, scans: 0, writes: 0 }
    const send = async (expected: number, path: string, options: Parameters<Caddy['send']>[2]): Promise<boolean> => {
      const startedAtMs = performance.now()
      const outcome = await caddy.send(HOST, path, options).catch((error: Error) => error)
      report.requests++
      report.slowestMs = Math.max(report.slowestMs, performance.now() - startedAtMs)
      if (!(outcome instanceof Error) && outcome.status === expected) return true
      report.lost++
      const reason = outcome instanceof Error ? outcome.message : `${outcome.status} ${outcome.text.slice(0, 200)}`
      console.error(`${options?.method ?? 'GET'} ${path}: ${reason}`)
      return false
    }
    const startedAtMs = performance.now()
    let isOver = false
    const loading = Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        for (let n = 0; !isOver; n++) {
          const body = JSON.stringify({ name: `Tag ${client}-${n}` })
          const headers = { authorization, 'content-type': 'application/json', 'content-length': String(body.length) }
          if (await send(302, path, { headers: { 'user-agent': PHONE } })) report.scans++
          if (await send(201, '/v1/article-tags', { method: 'POST', headers, body })) report.writes++
          await send(200, '/v1/me', { headers: { authorization } })
          if (pauseMs > 0) await sleep(pauseMs)
        }
      }),
    )
    for (let round = 0; round < restarts; round++) {
      for (const instance of instances) {
        await instance.stop()
        await instance.start()
        report.restarts++
      }
    }
    isOver = true
    await loading
    report.perSecond = (1000 * report.requests) / (performance.now() - startedAtMs)
    // The last scans wait in the log for a moment, before they are stored.
    await Promise.all(instances.map((instance) => instance.stop()))
    return { ...report, ...(await countStored(url)) }
  } finally {
    await Promise.all(instances.map((instance) => instance.kill()))
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns the path that is printed. */
async function createCode(client: Client): Promise<string> {
  const code = { name: 'Front door', destination: { url: 'https://acme.example' } }
  const { body, text } = await client.post('/v1/qr-codes', code)
  if (body?.url === undefined) throw new Error(text)
  return new URL(body.url).pathname
}

async function countStored(url: string): Promise<{ storedScans: number; storedWrites: number }> {
  const database = await openDatabase({ url })
  try {
    const count = async (table: 'scans' | 'article_tags') =>
      (await database.readLong.selectFrom(table).select('id').execute()).length
    return { storedScans: await count('scans'), storedWrites: await count('article_tags') }
  } finally {
    await database.close()
  }
}
