import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseLocation } from '../../src/platform/db/open.ts'
import { Child, type Usage } from '../support/children.ts'
import { credentials, type Tenant } from '../support/service.ts'

/** `EVENT` is measured. `OTHER_EVENT` is never emitted: endpoints that should get nothing subscribe to it. */
export const EVENT = 'qr_code.created' as const
export const OTHER_EVENT = 'qr_code.deleted'

export const TENANTS = ['first', 'second', 'third'] as const

export interface WebhookServiceReady {
  port: number
  tenants: Tenant[]
}

export interface Emission {
  /** The events alternate between these. */
  orgIds: string[]
  payload: unknown
  count: number
}

export type Flow = Omit<Emission, 'count'> & { endpointsEach: number; seconds: number }

export interface Sustained {
  events: number
  /** Deliveries per second while the events were written. */
  perSecond: number
}

export interface Endpoint {
  tenant: Tenant
  id: string
}

/** No load here reaches this limit. */
const RATE_LIMIT = '1000000000'

/** A service that is allowed to reach the receiver, with a temporary data folder. */
export class WebhookService implements AsyncDisposable {
  readonly engine: string
  readonly location: DatabaseLocation
  readonly tenants: readonly Tenant[]
  /** The payload of every event: a code as the API returns it. */
  readonly payload: { id: string }
  readonly #child: Child<WebhookServiceReady>
  readonly #dataDir: string

  private constructor(
    engine: string,
    location: DatabaseLocation,
    child: Child<WebhookServiceReady>,
    dataDir: string,
    payload: { id: string },
  ) {
    this.engine = engine
    this.location = location
    this.tenants = child.ready.tenants
    this.payload = payload
    this.#child = child
    this.#dataDir = dataDir
  }

  static async start(receiverHost: string, databaseUrl?: string): Promise<WebhookService> {
    const dataDir = await mkdtemp(join(tmpdir(), 'waymark-bench-'))
    try {
      const child = await Child.start<WebhookServiceReady>(new URL('./service-child.ts', import.meta.url), {
        DATA_DIR: dataDir,
        DATABASE_URL: databaseUrl ?? '',
        PORT: '0',
        HOST: '127.0.0.1',
        LOG_LEVEL: 'warn',
        RATE_LIMIT_PER_MINUTE: RATE_LIMIT,
        RATE_LIMIT_PER_HOUR: RATE_LIMIT,
        WEBHOOK_DEV_ALLOW: receiverHost,
      })
      const location = databaseUrl === undefined ? { file: join(dataDir, 'waymark.db') } : { url: databaseUrl }
      const engine = databaseUrl === undefined ? 'SQLite' : 'PostgreSQL'
      // No endpoint exists yet, so this event is not delivered.
      const payload = await request<{ id: string }>(child.ready.port, child.ready.tenants[0] as Tenant, '/qr-codes', {
        name: 'Chair',
        destination: { type: 'url', url: 'https://acme.com/chairs/oak?utm_source=label' },
      })
      return new WebhookService(engine, location, child, dataDir, payload)
    } catch (error) {
      await rm(dataDir, { recursive: true, force: true })
      throw error
    }
  }

  async subscribe(tenant: Tenant, url: string, event: string = EVENT): Promise<Endpoint> {
    const { id } = await request<{ id: string }>(this.#child.ready.port, tenant, '/webhooks', { url, events: [event] })
    return { tenant, id }
  }

  async change({ tenant, id }: Endpoint, changes: { url?: string; isActive?: boolean }): Promise<void> {
    await request(this.#child.ready.port, tenant, `/webhooks/${id}`, changes, 'PATCH')
  }

  /** Resolves when the events are committed, with the time when the last commit began. */
  async emit(tenants: readonly Tenant[], count: number): Promise<number> {
    const emit: Emission = { orgIds: tenants.map(({ orgId }) => orgId), payload: this.payload, count }
    return (await this.#child.request<{ writtenAtMs: number }>({ emit })).writtenAtMs
  }

  sustain(tenants: readonly Tenant[], endpointsEach: number, seconds: number): Promise<Sustained> {
    const orgIds = tenants.map(({ orgId }) => orgId)
    const sustain: Flow = { orgIds, payload: this.payload, endpointsEach, seconds }
    return this.#child.request<Sustained>({ sustain })
  }

  usage(): Promise<Usage> {
    return this.#child.usage()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child[Symbol.asyncDispose]()
    await rm(this.#dataDir, { recursive: true, force: true })
  }
}

async function request<Body>(port: number, tenant: Tenant, path: string, body: object, method = 'POST'): Promise<Body> {
  const response = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
    method,
    headers: { ...credentials(tenant), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`)
  return (await response.json()) as Body
}
