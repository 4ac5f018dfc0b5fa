import { afterAll, beforeAll, expect, inject } from 'vitest'
import { type Config, readConfig } from '../main/config.ts'
import { type Overrides, type ProcessRole, type Service, startService } from '../main/service.ts'
import { createKey } from '../modules/account/api-keys/index.ts'
import { addMember } from '../modules/account/members/index.ts'
import { createOrganisation } from '../modules/account/organisations/index.ts'
import type { RoleName } from '../modules/account/roles/index.ts'
import { startSession } from '../modules/account/sessions/index.ts'
import { createUser } from '../modules/account/users/index.ts'
import { announceDomains } from '../modules/domains/custom-domains/index.ts'
import { MINUTE_MS, timestamp } from '../platform/clock/index.ts'
import type { OrgId } from '../platform/ids/index.ts'
import { createLogger } from '../platform/telemetry/logging.ts'
import { checkResponse } from './check-response.ts'
import { Client } from './client.ts'
import { createDatabase, type TestDatabase } from './engines/database.ts'
import { TenancyGuard } from './engines/tenancy.ts'
import { ScopedAuthenticator } from './scoped-authenticator.ts'
import { rememberToken, SecretsGuard } from './secrets-guard.ts'
import { TenantClient } from './tenant-client.ts'
import { UNPACED } from './unpaced.ts'
import { TestSmtpServer } from './world/smtp-server.ts'
import { WebhookReceiver } from './world/webhook-receiver.ts'

/** An organisation with an API key, and a client that uses it. */
export interface Tenant extends Client {
  readonly orgId: OrgId
  readonly slug: string
  readonly keyId: string
  readonly apiKey: string
}

/** A member of an organisation who is signed in, as a client. */
export interface Person extends Client {
  readonly userId: string
  readonly memberId: string
  readonly email: string
  /** The token of the session. */
  readonly token: string
}

export interface Statement {
  sql: string
  parameters: readonly unknown[]
}

export interface HarnessOptions {
  /** Defaults to `all`. With `api` there is no background work. */
  role?: ProcessRole
  config?: Partial<Config>
  overrides?: Overrides
}

/** Only tests of the rate limit reach a limit. */
const UNLIMITED = { perMinute: 10_000_000, perHour: 10_000_000 }

/** The credits of a new organisation, as in an installation without settings. */
const CREDITS = 1000

/** A hundredth of the usual cost: tests sign in hundreds of times. */
const PASSWORD_COST = { memory: 1024, passes: 1, parallelism: 1 }

/** On a busy machine, many requests at once would wait longer than a client should have to. */
const DATABASE_WAIT_MS = 2 * MINUTE_MS

/** A complete service with its own database, on the engine of this test run. */
export class Harness {
  readonly scoped = new ScopedAuthenticator()
  #database: TestDatabase | undefined
  #service: Service | undefined
  #startService: (() => Promise<Service>) | undefined
  #skewMs = 0
  #stoppedAtMs: number | undefined
  #tenants = 0
  #people = 0
  #guard: TenancyGuard | undefined
  readonly #secrets = new SecretsGuard()
  /** The lists of those who want to know. To keep all statements of a file would take much memory. */
  readonly #recordings = new Set<Statement[]>()

  get engine() {
    return this.#started.database.engine
  }
  get service(): Service {
    return this.#started.service
  }
  get location() {
    return this.#started.database.location
  }
  get folder() {
    return this.#started.database.folder
  }
  get baseUrl(): string {
    return `http://127.0.0.1:${this.service.port}`
  }
  readonly nowMs = (): number => (this.#stoppedAtMs ?? Date.now()) + this.#skewMs

  async start({ role = 'all', config = {}, overrides = {} }: HarnessOptions = {}): Promise<void> {
    const database = await createDatabase()
    this.#database = database
    const guard = new TenancyGuard(inject('tenantTables')[database.engine])
    this.#guard = guard
    this.#startService = () =>
      startService({ ...testConfig(database), ...config }, role, createLogger('info', this.#secrets), {
        clock: this.nowMs,
        checkResponse,
        observe: (sql, parameters) => {
          guard.observe(sql, parameters)
          this.#secrets.observe(sql, parameters)
          for (const recording of this.#recordings) recording.push({ sql, parameters })
        },
        authenticators: [this.scoped],
        passwordCost: PASSWORD_COST,
        paces: UNPACED,
        databaseWaitMsMax: DATABASE_WAIT_MS,
        ...overrides,
      })
    this.#service = await this.#startService()
  }

  /** Stops the service and starts a new one on the same data. */
  async restart(): Promise<void> {
    await this.#service?.close()
    this.#service = await this.#startService?.()
  }

  async stop(): Promise<void> {
    await this.#service?.close()
    await this.#database?.drop()
    expect(this.#guard?.violations, 'statements that use a tenant’s table without org_id').toEqual([])
    expect(this.#secrets.found, 'secrets that were stored or logged').toEqual([])
  }

  /** Returns the statements that the service runs during `work`, without those that come at any moment. */
  async statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
    const recording: Statement[] = []
    this.#recordings.add(recording)
    try {
      await work()
    } finally {
      this.#recordings.delete(recording)
    }
    // Of its journal, and of versions whose time may have come.
    return recording.filter(({ sql }) => !/journal_texts|from "target_versions" where "state" is null/.test(sql))
  }

  /** Moves the service's clock forward. */
  advance(ms: number): void {
    this.#skewMs += ms
  }

  /** Stops the service's clock, so that only `advance` moves it: for what must happen soon after something else. */
  stopClock(): Disposable {
    this.#stoppedAtMs = Date.now()
    return {
      [Symbol.dispose]: () => {
        this.#stoppedAtMs = undefined
      },
    }
  }

  client(apiKey?: string): Client {
    return new Client(this.baseUrl, apiKey)
  }

  async createTenant(): Promise<Tenant> {
    const slug = `acme-${++this.#tenants}`
    const now = timestamp(this.nowMs())
    const { id } = await this.service.database.write((tx) =>
      createOrganisation(tx, { name: `Acme ${this.#tenants}`, slug }, now, { credits: CREDITS }),
    )
    const key = await this.service.database.write((tx) => createKey(tx, id, { name: 'Tests' }, now))
    const client = new TenantClient(this.baseUrl, key.api_key, this.#ownerOf(id))
    return Object.assign(client, { orgId: id, slug, keyId: key.id, apiKey: key.api_key })
  }

  /** Creates a person without a password, and a session in which they are signed in. */
  async createPerson({ orgId }: Pick<Tenant, 'orgId'>, role: RoleName): Promise<Person> {
    const now = timestamp(this.nowMs())
    const email = `person-${++this.#people}@acme.com`
    const origin = { address: '127.0.0.1', device: 'Firefox, Linux' }
    const { database } = this.service
    const { userId, memberId, token } = await database.write(async (tx) => {
      const person = { email, first_name: 'Kim', last_name: null, passwordHash: null }
      const { id: userId } = await createUser(tx, person, now)
      const { id: memberId } = await addMember(tx, orgId, userId, role, now)
      return { userId, memberId, ...(await startSession(tx, userId, orgId, origin, now)) }
    })
    rememberToken(token)
    return Object.assign(this.inSession(token), { userId, memberId, email, token })
  }

  /** Marks all people of an organisation who are signed in as having just confirmed who they are. */
  async confirmPeople({ orgId }: Pick<Tenant, 'orgId'>): Promise<void> {
    const authenticated_at = timestamp(this.nowMs())
    const { kysely } = this.service.database
    await kysely.updateTable('sessions').set({ authenticated_at }).where('org_id', '=', orgId).execute()
  }

  /** Returns a function that returns an owner, always the same, who has confirmed recently who they are. */
  #ownerOf(orgId: OrgId): () => Promise<Client> {
    let owner: Promise<Client> | undefined
    let confirmedAtMs = this.nowMs()
    return async () => {
      owner ??= this.createPerson({ orgId }, 'owner')
      await owner
      if (this.nowMs() - confirmedAtMs > MINUTE_MS) {
        confirmedAtMs = this.nowMs()
        await this.confirmPeople({ orgId })
      }
      return owner
    }
  }

  /** A browser with this session, on one of our own pages. */
  inSession(token: string): Client {
    return new Client(this.baseUrl, undefined, { cookie: `waymark_session=${token}`, 'sec-fetch-site': 'same-origin' })
  }

  /** Marks a domain as verified without a DNS check. */
  async verifyDomain({ orgId }: Tenant, id: string, isVerified = true): Promise<void> {
    await this.service.database.write(async (tx) => {
      const { domain } = await tx
        .updateTable('custom_domains')
        .set({ verified_at: isVerified ? timestamp(this.nowMs()) : null })
        .where('org_id', '=', orgId)
        .where('id', '=', id)
        .returning('domain')
        .executeTakeFirstOrThrow()
      await announceDomains(tx, orgId, [domain])
    })
  }

  /** Creates a webhook endpoint for these events. The default URL is never reached. */
  async subscribe(client: Client, events: readonly string[], more: object = {}): Promise<any> {
    const reply = await client.post('/v1/webhooks', { url: 'https://acme.com/hooks', events, ...more })
    expect(reply).toMatchObject({ status: 201 })
    return reply.body
  }

  get #started(): { service: Service; database: TestDatabase } {
    if (this.#service === undefined || this.#database === undefined) throw new Error('the harness has not started')
    return { service: this.#service, database: this.#database }
  }
}

/** Starts a harness before the tests of a file (or of a describe block) and stops it after them. */
export function useHarness(options?: HarnessOptions): Harness {
  const harness = new Harness()
  beforeAll(() => harness.start(options))
  afterAll(() => harness.stop())
  return harness
}

/** Starts a webhook receiver, and a harness whose service may send to it, for the tests of a file. */
export async function useReceivingHarness(
  options?: HarnessOptions,
): Promise<{ harness: Harness; receiver: WebhookReceiver }> {
  const receiver = await WebhookReceiver.start()
  afterAll(() => receiver.close())
  return { harness: useHarness({ ...options, config: { ...options?.config, outbound: receiver.outbound } }), receiver }
}

/** Starts an SMTP server, and a harness whose service sends mails to it, for the tests of a file. */
export async function useMailingHarness(options?: HarnessOptions): Promise<{ harness: Harness; smtp: TestSmtpServer }> {
  const smtp = await TestSmtpServer.start()
  afterAll(() => smtp.close())
  return { harness: useHarness({ ...options, config: { ...options?.config, mail: smtp.settings } }), smtp }
}

export const testConfig = ({ location, folder }: Pick<TestDatabase, 'location' | 'folder'>): Config => ({
  ...readConfig({}, '/nonexistent'),
  port: 0,
  dataDir: folder,
  database: location,
  caps: UNLIMITED,
  // All clients of a test have one address.
  connections: { connectionsMax: 2000, connectionsPerAddress: 2000 },
  // Tests must not resolve or reach hosts on the internet.
  outbound: { ports: [443], devAllow: [], dnsServers: ['127.0.0.1:1'] },
})
