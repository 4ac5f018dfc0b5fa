import type { Database } from '../../src/platform/db/index.ts'
import { openDatabase } from '../../src/platform/db/open.ts'
import { eventually } from '../../src/testing/eventually.ts'
import type { Usage } from '../support/children.ts'
import type { Tenant } from '../support/service.ts'
import type { WebhookReceiver } from './receiver.ts'
import type { Endpoint, WebhookService } from './service.ts'

export const ORGANISATIONS = 2
export const ENDPOINTS_EACH = 4

export interface Measured {
  perSecond: number
  mainThreadMicrosEach: number
  otherThreadsMicrosEach: number
  /** Attempts per insert; infinite for a sender that stores nothing. */
  batch: number
}

/** A service with endpoints at the receiver, and a separate connection to its database. */
export class WebhookSender implements AsyncDisposable {
  readonly name: string
  readonly #service: WebhookService
  readonly #receiver: WebhookReceiver
  readonly #database: Database
  readonly #endpoints: Endpoint[] = []
  #deliveries = 0

  private constructor(service: WebhookService, receiver: WebhookReceiver, database: Database) {
    this.name = service.engine
    this.#service = service
    this.#receiver = receiver
    this.#database = database
  }

  static async open(service: WebhookService, receiver: WebhookReceiver): Promise<WebhookSender> {
    const sender = new WebhookSender(service, receiver, await openDatabase(service.location))
    for (const tenant of sender.#tenants) {
      for (let n = 0; n < ENDPOINTS_EACH; n++) {
        sender.#endpoints.push(await service.subscribe(tenant, receiver.url(`/hook-${sender.#endpoints.length}`)))
      }
    }
    return sender
  }

  get #tenants(): readonly Tenant[] {
    return this.#service.tenants.slice(0, ORGANISATIONS)
  }

  /** Measures the time to empty a full queue. It fills up while the endpoints are paused. */
  async drain(count: number): Promise<Measured> {
    await this.#setActive(false)
    await this.#service.emit(this.#tenants, count / ENDPOINTS_EACH)
    await this.#receiver.reset()
    const before = await this.#service.usage()
    await this.#setActive(true)
    const { firstAtMs, lastAtMs } = await this.#receiver.waitFor(count)
    await this.#requireDelivered(count)
    return toMeasured((count / (lastAtMs - firstAtMs)) * 1000, count, before, await this.#service.usage())
  }

  /** Measures deliveries while events are written. The CPU time includes writing the events. */
  async sustain(seconds: number): Promise<Measured> {
    const before = await this.#service.usage()
    const { events, perSecond } = await this.#service.sustain(this.#tenants, ENDPOINTS_EACH, seconds)
    await this.#requireDelivered(events * ENDPOINTS_EACH)
    return toMeasured(perSecond, events * ENDPOINTS_EACH, before, await this.#service.usage())
  }

  async #setActive(isActive: boolean): Promise<void> {
    await Promise.all(this.#endpoints.map((endpoint) => this.#service.change(endpoint, { isActive })))
  }

  /** Checks that all deliveries so far, including the `added` ones, were delivered with exactly one attempt each. */
  async #requireDelivered(added: number): Promise<void> {
    this.#deliveries += added
    const { read } = this.#database
    const counts = async () => {
      const deliveries = await read
        .selectFrom('webhook_deliveries')
        .select(({ fn }) => ['status', 'attempt_count', fn.countAll<number>().as('count')])
        .groupBy(['status', 'attempt_count'])
        .execute()
      const attempts = await read
        .selectFrom('webhook_attempts')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return { deliveries, attempts: attempts.count }
    }
    await eventually(async () => (await counts()).deliveries.every(({ status }) => status !== 'pending'))
    const { deliveries, attempts } = await counts()
    const isAsExpected =
      attempts === this.#deliveries &&
      deliveries.length === 1 &&
      deliveries.every(
        ({ status, attempt_count, count }) =>
          status === 'delivered' && attempt_count === 1 && count === this.#deliveries,
      )
    if (isAsExpected) return
    const found = deliveries.map(
      ({ status, attempt_count, count }) => `${count} ${status} after ${attempt_count} attempts`,
    )
    throw new Error(
      `${this.name}: expected ${this.#deliveries} deliveries with one attempt each, found ${found.join(', ')}; ` +
        `${attempts} attempts in all`,
    )
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#database.close()
  }
}

export const toMeasured = (perSecond: number, count: number, before: Usage, after: Usage): Measured => {
  const mainThreadMicros = after.mainThreadMicros - before.mainThreadMicros
  return {
    perSecond,
    mainThreadMicrosEach: mainThreadMicros / count,
    otherThreadsMicrosEach: (after.cpuMicros - before.cpuMicros - mainThreadMicros) / count,
    batch: count / (after.batches - before.batches),
  }
}
