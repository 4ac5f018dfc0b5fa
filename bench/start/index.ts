import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { findFreePort } from '../../src/testing/world/free-port.ts'
import { median, printTable, ratio, whole } from '../support/table.ts'

export const about = 'time until a start answers, and memory of an idle service, compared with bare Fastify'

const BARE = fileURLToPath(new URL('./bare-child.ts', import.meta.url))
const CLI = fileURLToPath(new URL('../../src/main/cli.mjs', import.meta.url))
const POLL_MS = 4

interface Started {
  startMs: number
  /** Undefined where the system does not say it. */
  memoryMb: number | undefined
}

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { rounds: { type: 'string', default: '5' }, idle: { type: 'string', default: '20' } },
  })
  const rounds = Number(values.rounds)
  const idleSeconds = Number(values.idle)
  if (!(rounds >= 1 && idleSeconds >= 0)) throw new Error('--rounds and --idle must be numbers')

  const folder = await mkdtemp(join(tmpdir(), 'waymark-bench-'))
  try {
    // Compiled code is kept from one start to the next, also that of the bare server.
    const cache = { NODE_COMPILE_CACHE: join(folder, 'cache') }
    const measured = new Map<string, Started[]>()
    const measure = async (name: string, command: string[], settings: Record<string, string>) => {
      const started = await measureStart(command, { ...cache, ...settings }, idleSeconds)
      measured.set(name, [...(measured.get(name) ?? []), started])
    }
    for (let round = 0; round < rounds; round++) {
      const data = { DATA_DIR: join(folder, `data-${round}`) }
      // These two write the compiled code that the others find.
      if (round === 0) await measureStart([BARE], cache, 0)
      await measure(FRESH, [CLI, 'start'], {
        DATA_DIR: join(folder, `fresh-${round}`),
        ...(round > 0 && { NODE_COMPILE_CACHE: join(folder, `cache-${round}`) }),
      })
      await measure(BARE_NAME, [BARE], {})
      await measure('first start, with a new database', [CLI, 'start'], data)
      await measure('later start', [CLI, 'start'], data)
    }
    show(measured, idleSeconds)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const BARE_NAME = 'bare Fastify'
const FRESH = 'first start, with nothing compiled yet'

/** Starts a server, waits until it answers and is idle, and stops it. */
async function measureStart(
  command: string[],
  settings: Record<string, string>,
  idleSeconds: number,
): Promise<Started> {
  const port = await findFreePort()
  const startedAt = performance.now()
  const child = spawn(process.execPath, command, {
    // A .env file of the project would add settings.
    cwd: tmpdir(),
    env: { HOST: '127.0.0.1', PORT: String(port), LOG_LEVEL: 'silent', ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  try {
    while (!(await isHealthy(port))) {
      if (child.exitCode !== null) throw new Error(`${command[0]} exited with code ${child.exitCode}`)
      await sleep(POLL_MS)
    }
    const startMs = performance.now() - startedAt
    await sleep(idleSeconds * 1000)
    return { startMs, memoryMb: await memoryOf(child) }
  } finally {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  }
}

const isHealthy = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    get({ host: '127.0.0.1', port, path: '/healthz', agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    }).on('error', () => resolve(false))
  })

/** All threads of the service are in one process. */
async function memoryOf({ pid }: ChildProcess): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

function show(measured: ReadonlyMap<string, Started[]>, idleSeconds: number): void {
  const of = (name: string, pick: (started: Started) => number | undefined) =>
    (measured.get(name) ?? []).map((started) => pick(started) ?? Number.NaN)
  const bareMs = median(of(BARE_NAME, ({ startMs }) => startMs))
  const bareMb = median(of(BARE_NAME, ({ memoryMb }) => memoryMb))
  const rows = [BARE_NAME, FRESH, 'first start, with a new database', 'later start'].map((name) => {
    const times = of(name, ({ startMs }) => startMs)
    const memory = median(of(name, ({ memoryMb }) => memoryMb))
    return [
      name,
      `${whole(median(times))} ms`,
      `${whole(Math.min(...times))} to ${whole(Math.max(...times))} ms`,
      ratio(median(times) / bareMs),
      `${whole(memory)} MB`,
      ratio(memory / bareMb),
    ]
  })
  const rounds = measured.get(BARE_NAME)?.length ?? 0
  console.log(
    `\n${rounds} starts of each, in turn, on SQLite; medians. Memory: what is resident after ${idleSeconds} s.`,
  )
  printTable(['', 'until /healthz answers', 'range', 'vs bare', 'memory', 'vs bare'], rows)
}
