import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createKey } from '../../src/modules/account/api-keys/index.ts'
import { createOrganisation } from '../../src/modules/account/organisations/index.ts'
import { systemClock, timestamp } from '../../src/platform/clock/index.ts'
import { openDatabase } from '../../src/platform/db/open.ts'
import type { Database, Engine } from '../../src/platform/db/types.ts'
import type { OrgId } from '../../src/platform/ids/index.ts'
import { Client } from '../../src/testing/client.ts'
import { freePort, startPostgres } from '../../src/testing/engines/postgres.ts'
import { type ServiceProcess, startServiceProcess } from '../../src/testing/process.ts'
import { WebhookReceiver } from '../../src/testing/world/webhook-receiver.ts'

const UNLIMITED = '1000000000'
const POLL_MS = 20
/** Longer than the lease of a killed worker lasts. */
const STANDSTILL_MS = 90_000

/** The service in separate processes, and a direct connection to its database. */
export interface Stage {
  database: Database
  /** Deliveries can be sent only to these. */
  receivers: readonly [WebhookReceiver, WebhookReceiver]
  /** The processes that send deliveries. */
  workers: readonly Restartable[]
  createTenant(): Promise<Tenant>
}

export interface Tenant {
  orgId: OrgId
  client: Client
}

/** On PostgreSQL one process serves the API and two send. SQLite allows only one process. */
const ROLES = { sqlite: ['all'], postgres: ['api', 'worker', 'worker'] }

export async function onStage<T>(engine: Engine, drill: (stage: Stage) => Promise<T>): Promise<T> {
  const receivers = [await WebhookReceiver.start(), await WebhookReceiver.start()] as const
  const folder = await mkdtemp(join(tmpdir(), 'waymark-drill-'))
  await using postgres = engine === 'postgres' ? await startPostgres() : undefined
  const url = postgres?.url('postgres')
  const settings = {
    DATA_DIR: folder,
    ...(url && { DATABASE_URL: url }),
    RATE_LIMIT_PER_MINUTE: UNLIMITED,
    RATE_LIMIT_PER_HOUR: UNLIMITED,
    WEBHOOK_DEV_ALLOW: receivers.map(({ host }) => host).join(),
  }
  const services: Restartable[] = []
  try {
    for (const role of ROLES[engine]) services.push(await Restartable.start(settings, role))
    const database = await openDatabase(url ? { url } : { file: join(folder, 'waymark.db') })
    let tenants = 0
    try {
      return await drill({
        database,
        receivers,
        workers: services.filter(({ role }) => role !== 'api'),
        createTenant: () => createTenant(database, services[0]?.url ?? '', ++tenants),
      })
    } finally {
      await database.close()
    }
  } finally {
    await Promise.all(services.map((service) => service.kill()))
    await Promise.all(receivers.map((receiver) => receiver.close()))
    await rm(folder, { recursive: true, force: true })
  }
}

function createTenant(database: Database, serviceUrl: string, number: number): Promise<Tenant> {
  const now = timestamp(systemClock())
  return database.write(async (tx) => {
    const { id } = await createOrganisation(tx, { name: `Acme ${number}`, slug: `acme-${number}` }, now)
    const { api_key } = await createKey(tx, id, { name: 'Drill' }, now)
    return { orgId: id, client: new Client(serviceUrl, api_key) }
  })
}

/** A process that can be killed and started again with the same role, data and port. */
class Restartable {
  readonly role: string
  readonly #settings: Record<string, string>
  #service: ServiceProcess

  private constructor(role: string, settings: Record<string, string>, service: ServiceProcess) {
    this.role = role
    this.#settings = settings
    this.#service = service
  }

  static async start(shared: Record<string, string>, role: string): Promise<Restartable> {
    const settings = { ...shared, PORT: String(await freePort()) }
    return new Restartable(role, settings, await startServiceProcess(settings, ['--role', role]))
  }

  get url(): string {
    return this.#service.url
  }

  async kill(): Promise<void> {
    this.#service.send('SIGKILL')
    await this.#service.ended
  }

  async startAgain(): Promise<void> {
    this.#service = await startServiceProcess(this.#settings, ['--role', this.role])
  }
}

/** Waits until the goal is reached, however long it takes. Fails only if there is no progress for a while. */
export async function progress(what: string, count: () => Promise<number> | number, goal: number): Promise<void> {
  let before = await count()
  let movedAtMs = performance.now()
  while (before < goal) {
    await sleep(POLL_MS)
    const now = await count()
    if (now > before) movedAtMs = performance.now()
    before = Math.max(before, now)
    if (performance.now() - movedAtMs > STANDSTILL_MS) throw new Error(`${what}: stuck at ${before} of ${goal}`)
  }
}
