import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type Reply } from '../../src/testing/client.ts'
import { freePort, startPostgres } from '../../src/testing/engines/postgres.ts'
import { createFirstKey, type ServiceProcess, type Settings, startServiceProcess } from '../../src/testing/process.ts'

export const about =
  'one Idempotency-Key has one effect and one response: concurrent duplicates while processes are killed'

export interface Size {
  keys: number
  duplicates: number
  kills: number
}

export interface Report {
  requests: number
  answered: number
  kills: number
  /** Keys that got more than one distinct response. */
  contradictions: number
  effects: number
}

const FULL: Size = { keys: 200, duplicates: 50, kills: 10 }
/** How many keys are sent concurrently, each with all its duplicates. */
const KEYS_AT_ONCE = 4

export async function run(): Promise<void> {
  for (const engine of ['sqlite', 'postgres'] as const) {
    const report = await drill(engine, FULL)
    console.log(engine, JSON.stringify(report))
    check(report, FULL)
  }
}

export function check({ answered, requests, contradictions, effects }: Report, { keys }: Size): void {
  if (answered !== requests) throw new Error(`${requests - answered} requests got no 201 response`)
  if (contradictions > 0) throw new Error(`${contradictions} keys got different responses`)
  if (effects !== keys) throw new Error(`${keys} keys had ${effects} effects`)
}

/** PostgreSQL serves two processes, SQLite one. A killed process is restarted. */
export async function drill(engine: 'sqlite' | 'postgres', { keys, duplicates, kills }: Size): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-drill-'))
  await using postgres = engine === 'postgres' ? await startPostgres() : undefined
  const data: Settings = postgres ? { DATABASE_URL: postgres.url('postgres') } : { DATA_DIR: folder }
  const settings = { ...data, RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_PER_HOUR: '1000000' }
  const services: Restartable[] = []
  try {
    for (let n = 0; n < (postgres ? 2 : 1); n++) services.push(await Restartable.start(settings))
    const apiKey = await createFirstKey(settings)
    const clients = services.map(({ url }) => new Client(url, apiKey))

    let done = false
    const killing = (async () => {
      for (let kill = 0; kill < kills && !done; kill++) {
        await sleep(300)
        await services[kill % services.length]?.killAndRestart()
      }
    })()

    const report: Report = { requests: keys * duplicates, answered: 0, kills: 0, contradictions: 0, effects: 0 }
    for (let key = 0; key < keys; key += KEYS_AT_ONCE) {
      const numbers = Array.from({ length: Math.min(KEYS_AT_ONCE, keys - key) }, (_, n) => key + n)
      await Promise.all(
        numbers.map(async (number) => {
          const replies = await Promise.all(
            Array.from({ length: duplicates }, (_, n) => sendUntilFinal(clients[n % clients.length] as Client, number)),
          )
          report.answered += replies.filter(({ status }) => status === 201).length
          if (new Set(replies.map(({ text }) => text)).size > 1) report.contradictions++
        }),
      )
    }
    done = true
    await killing
    report.kills = services.reduce((sum, service) => sum + service.kills, 0)
    report.effects = (await (clients[0] as Client).get('/v1/article-tags')).body.total
    return report
  } finally {
    await Promise.all(services.map((service) => service.kill()))
    await rm(folder, { recursive: true, force: true })
  }
}

/** Repeats the request with the same key until there is a final response, as a good client does. */
async function sendUntilFinal(client: Client, key: number): Promise<Reply> {
  for (let attempt = 0; ; attempt++) {
    const reply = await client
      .post('/v1/article-tags', { name: `Tag ${key}` }, { 'idempotency-key': `drill-${key}` })
      .catch(() => undefined)
    const final = reply !== undefined && reply.status < 500 && reply.body?.details?.reason === undefined
    if (final || attempt === 300) return reply ?? { status: 0, headers: new Headers(), body: undefined, text: '' }
    await sleep(100)
  }
}

class Restartable {
  readonly #settings: Settings
  #service: ServiceProcess
  kills = 0

  private constructor(settings: Settings, service: ServiceProcess) {
    this.#settings = settings
    this.#service = service
  }

  static async start(shared: Settings): Promise<Restartable> {
    const settings = { ...shared, PORT: String(await freePort()) }
    return new Restartable(settings, await startServiceProcess(settings))
  }

  get url(): string {
    return this.#service.url
  }

  async kill(): Promise<void> {
    this.#service.send('SIGKILL')
    await this.#service.ended
  }

  async killAndRestart(): Promise<void> {
    await this.kill()
    this.kills++
    this.#service = await startServiceProcess(this.#settings)
  }
}
