import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseLocation } from '../../src/platform/db/open.ts'
import { Child, type Usage } from '../support/children.ts'
import { credentials, type Tenant } from '../support/service.ts'

/** The event that is measured, and one that a bench subscribes to where nothing should arrive. */
export const EVENT = 'qr_code.created' as const
export const OTHER_EVENT = 'qr_code.deleted'

export const TENANTS = ['first', 'second', 'third'] as const

export interface WebhookServiceReady {
  port: number
  tenants: Tenant[]
}

export interface Emission {
  /** In turn. */
  orgIds: string[]
  payload: unknown
  count: number
}

export type Flow = Omit<Emission, 'count'> & { endpointsEach: number; seconds: number }

export interface Sustained {
  events: number
  /** Deliveries that were made while events were written. */
  perSecond: number
}

export interface Endpoint {
  tenant: Tenant
  id: string
}

/** More than any load here can reach. */
const CAP = '1000000000'

/** A service that may reach the receiver, on data of its own that goes with it. */
export class WebhookService implements AsyncDisposable {
  readonly engine: string
  readonly location: DatabaseLocation
  readonly tenants: readonly Tenant[]
  /** A code as the API answers it: the payload of every event. */
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
        RATE_LIMIT_PER_MINUTE: CAP,
        RATE_LIMIT_PER_HOUR: CAP,
        WEBHOOK_DEV_ALLOW: receiverHost,
      })
      const location = databaseUrl === undefined ? { file: join(dataDir, 'waymark.db') } : { url: databaseUrl }
      const engine = databaseUrl === undefined ? 'SQLite' : 'PostgreSQL'
      // Before there is any endpoint, so that it is delivered to none.
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

  /** Answers when they are committed, with the moment in which the last commit began. */
  async emit(tenants: readonly Tenant[], count: number): Promise<number> {
    const emit: Emission = { orgIds: tenants.map(({ orgId }) => orgId), payload: this.payload, count }
    return (await this.#child.ask<{ writtenAtMs: number }>({ emit })).writtenAtMs
  }

  sustain(tenants: readonly Tenant[], endpointsEach: number, seconds: number): Promise<Sustained> {
    const orgIds = tenants.map(({ orgId }) => orgId)
    const sustain: Flow = { orgIds, payload: this.payload, endpointsEach, seconds }
    return this.#child.ask<Sustained>({ sustain })
  }

  usage(): Promise<Usage> {
    return this.#child.usage()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child[Symbol.asyncDispose]()
    await rm(this.#dataDir, { recursive: true, force: true })
  }
}

async function request<Answer>(
  port: number,
  tenant: Tenant,
  path: string,
  body: object,
  method = 'POST',
): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
    method,
    headers: { ...credentials(tenant), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Answer
}
