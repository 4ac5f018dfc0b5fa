import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DatabaseLocation } from '../src/platform/db/open.ts'
import type { Engine } from '../src/platform/db/types.ts'
import { Client } from '../src/testing/client.ts'
import { freePort, startPostgres, type TestPostgres } from '../src/testing/engines/postgres.ts'
import { createFirstKey, type ServiceProcess, type Settings, startServiceProcess } from '../src/testing/process.ts'

/** Short, so that a service is killed while requests arrive. */
const CALM_MS = 300

export type Restartable = ReturnType<typeof restartable>

/** Restarts the service on the same data and port. A drill must end it, because other drills may run at the same time. */
export function restartable(settings: Settings) {
  let current: ServiceProcess | undefined
  const end = async (signal: NodeJS.Signals) => {
    current?.send(signal)
    await current?.ended
  }
  return {
    port: Number(settings.PORT),
    start: async () => {
      current = await startServiceProcess(settings)
      return current
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}

/** Processes that serve one database, and its first organisation. */
export interface Stage {
  services: readonly [Restartable, ...Restartable[]]
  /** Where the first process listens. */
  url: string
  /** One for each process. */
  clients: readonly [Client, ...Client[]]
  folder: string
  location: DatabaseLocation
  postgres: TestPostgres | undefined
}

export async function onStage<T>(
  engine: Engine,
  { settings = {}, processes = 1 }: { settings?: Settings; processes?: number },
  drill: (stage: Stage) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-drill-'))
  await using postgres = engine === 'postgres' ? await startPostgres() : undefined
  const url = postgres?.url('postgres')
  const shared = { DATA_DIR: folder, ...(url && { DATABASE_URL: url }), ...settings }
  const services: Restartable[] = []
  try {
    for (let n = 0; n < processes; n++) {
      const service = restartable({ ...shared, PORT: String(await freePort()) })
      services.push(service)
      await service.start()
    }
    const apiKey = await createFirstKey(shared)
    const urls = services.map(({ port }) => `http://localhost:${port}`)
    return await drill({
      services: services as [Restartable, ...Restartable[]],
      url: urls[0] as string,
      clients: urls.map((each) => new Client(each, apiKey)) as [Client, ...Client[]],
      folder,
      location: url ? { url } : { file: join(folder, 'waymark.db') },
      postgres,
    })
  } finally {
    await Promise.all(services.map((service) => service.kill()))
    await rm(folder, { recursive: true, force: true })
  }
}

/** Requests that are sent while the service is killed, each of them until it is answered. */
export interface Load<Audit> {
  /** How many got a final answer so far. */
  answered(): number
  ended: Promise<unknown>
  /** Compares the answers with the database, when the service has stopped. */
  audit(location: DatabaseLocation): Promise<Audit>
}

export interface Killed {
  perSecond: number
  kills: number
}

/** Kills the services in turn, at random times, while a load of this many requests lasts. Each of them must be answered. */
export async function killAtRandom<Audit>(
  { services, location }: Stage,
  load: Load<Audit>,
  { requests, kills }: { requests: number; kills: number },
): Promise<Audit & Killed> {
  const startedAtMs = performance.now()
  let killed = 0
  while (killed < kills && load.answered() < requests) {
    await sleep(CALM_MS * (0.5 + Math.random()))
    const service = services[killed++ % services.length]
    await service?.kill()
    await service?.start()
  }
  await load.ended
  const perSecond = (1000 * requests) / (performance.now() - startedAtMs)
  if (load.answered() !== requests) throw new Error(`${load.answered()} of ${requests} requests were answered`)
  await Promise.all(services.map((service) => service.stop()))
  return { ...(await load.audit(location)), perSecond, kills: killed }
}
