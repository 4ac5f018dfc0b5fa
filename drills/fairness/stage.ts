import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { createKey } from '../../src/modules/account/api-keys/index.ts'
import { createOrganisation } from '../../src/modules/account/organisations/index.ts'
import { systemClock, timestamp } from '../../src/platform/clock/index.ts'
import { openDatabase } from '../../src/platform/db/open.ts'
import type { Database, Engine } from '../../src/platform/db/types.ts'
import type { OrgId } from '../../src/platform/ids/index.ts'
import { Client } from '../../src/testing/client.ts'
import { freePort, startPostgres } from '../../src/testing/engines/postgres.ts'
import { type ServiceProcess, type Settings, startServiceProcess } from '../../src/testing/process.ts'

/** No observer reaches it, so that only the load of others can slow it down. */
const UNLIMITED = 1_000_000_000
const SAMPLE_MS = 100
const PAGE_BYTES = 4096
const MEGABYTE = 1024 * 1024

export interface Tenant {
  orgId: OrgId
  apiKey: string
  client: Client
}

export interface StageOptions {
  settings?: Settings
  /** Called with the URL of PostgreSQL. Returns the URL that the service uses instead. */
  reroute?: (databaseUrl: string) => Promise<string>
}

/** The service in its own process, its database, and tools to watch it from outside. */
export class Stage {
  readonly engine: Engine
  readonly port: number
  readonly folder: string
  readonly database: Database
  readonly #settings: Settings
  #service: ServiceProcess
  #tenants = 0
  #memoryMbMax = 0
  readonly #sampler: NodeJS.Timeout

  constructor(engine: Engine, settings: Settings, folder: string, database: Database, service: ServiceProcess) {
    this.engine = engine
    this.port = Number(settings.PORT)
    this.folder = folder
    this.database = database
    this.#settings = settings
    this.#service = service
    this.#sampler = setInterval(() => {
      this.#memoryMbMax = Math.max(this.#memoryMbMax, this.memoryMb())
    }, SAMPLE_MS)
  }

  get service(): ServiceProcess {
    return this.#service
  }

  get settings(): Settings {
    return this.#settings
  }

  /** A hostile organisation has the default rate limits. */
  createTenant(kind: 'hostile' | 'observer'): Promise<Tenant> {
    const now = timestamp(systemClock())
    const slug = `acme-${++this.#tenants}`
    return this.database.write(async (tx) => {
      const { id } = await createOrganisation(tx, { name: `Acme ${this.#tenants}`, slug }, now)
      if (kind === 'observer') {
        const caps = { rate_per_minute: UNLIMITED, rate_per_hour: UNLIMITED }
        await tx.updateTable('organisations').set(caps).where('id', '=', id).execute()
      }
      const { api_key } = await createKey(tx, id, { name: 'Drill' }, now)
      return { orgId: id, apiKey: api_key, client: new Client(`http://127.0.0.1:${this.port}`, api_key) }
    })
  }

  memoryMb(): number {
    try {
      const [, resident = '0'] = readFileSync(`/proc/${this.#service.pid}/statm`, 'utf8').split(' ')
      return (Number(resident) * PAGE_BYTES) / MEGABYTE
    } catch {
      return 0
    }
  }

  /** The highest value since the last call. */
  takeMemoryMbMax(): number {
    const max = Math.max(this.#memoryMbMax, this.memoryMb())
    this.#memoryMbMax = 0
    return max
  }

  /** The number of sockets that the service has open. */
  openSockets(): number {
    const folder = `/proc/${this.#service.pid}/fd`
    return readdirSync(folder).filter((name) => {
      try {
        return readlinkSync(`${folder}/${name}`).startsWith('socket:')
      } catch {
        return false
      }
    }).length
  }

  /** Lowers the limit of open files of the running service. */
  limitFiles(count: number): void {
    execFileSync('prlimit', ['--pid', String(this.#service.pid), `--nofile=${count}:${count}`])
  }

  /** Does now what PostgreSQL would do with a lot of prepared data a minute later, which is not part of the attack. */
  async settle(): Promise<void> {
    if (this.engine !== 'postgres') return
    await sql`vacuum`.execute(this.database.readLong)
    await sql`checkpoint`.execute(this.database.readLong)
  }

  async killAndRestart(): Promise<void> {
    await this.#kill()
    this.#service = await startServiceProcess(this.#settings)
  }

  async close(): Promise<void> {
    clearInterval(this.#sampler)
    await this.#kill()
    await this.database.close()
  }

  async #kill(): Promise<void> {
    this.#service.send('SIGKILL')
    await this.#service.ended
  }
}

/** A page where visitors report a fault with a photo. */
export const FORM_PAGE = {
  title: 'Report a fault',
  status: 'active',
  // The observers are one visitor.
  proof_of_work: 'never',
  blocks: [
    { type: 'form_textarea', config: { label: 'What happened?', name: 'what', required: true } },
    { type: 'form_media', config: { label: 'Photo', name: 'photo', accept: ['image'] } },
  ],
}

export async function onStage<T>(
  engine: Engine,
  { settings = {}, reroute = async (url) => url }: StageOptions,
  drill: (stage: Stage) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-drill-'))
  await using postgres = engine === 'postgres' ? await startPostgres() : undefined
  const url = postgres?.url('postgres')
  const allSettings: Settings = {
    DATA_DIR: join(folder, 'data'),
    ...(url && { DATABASE_URL: await reroute(url) }),
    PORT: String(await freePort()),
    ...settings,
  }
  try {
    const service = await startServiceProcess(allSettings)
    const database = await openDatabase(url ? { url } : { file: join(folder, 'data', 'waymark.db') })
    const stage = new Stage(engine, allSettings, join(folder, 'data'), database, service)
    try {
      return await drill(stage)
    } finally {
      await stage.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
