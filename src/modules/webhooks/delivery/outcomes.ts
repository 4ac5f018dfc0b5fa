import { Counter } from 'prom-client'
import { type Clock, timestamp } from '../../../platform/clock/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import type { Metrics } from '../../../platform/telemetry/metrics.ts'
import type { Mails } from '../../mail/mails/index.ts'
import type { AttemptRow } from '../webhook-deliveries/index.ts'
import { disableEndpoint } from '../webhooks/index.ts'
import { AttemptLog } from './attempt-log.ts'
import { decide } from './decide.ts'
import { disabledNotice } from './disabled-notice.ts'
import { EndpointHealth } from './endpoint-health.ts'
import type { Job, OrganisationQueue } from './organisation-queue.ts'
import type { AttemptOutcome } from './send.ts'

interface OutcomeServices {
  database: Database
  mails: Mails
  clock: Clock
  log: Logger
  metrics: Pick<Metrics, 'registry'>
}

/** Decides what follows from each attempt, stores it, and keeps track of the health of endpoints. */
export class Outcomes {
  readonly #services: OutcomeServices
  readonly #attempts: AttemptLog
  readonly #health: EndpointHealth
  readonly #counter: Counter<'status'>

  constructor(services: OutcomeServices) {
    this.#services = services
    const { database, mails, clock, log, metrics } = services
    this.#attempts = new AttemptLog(database, log)
    this.#health = new EndpointHealth(database, mails, clock, log)
    this.#counter = new Counter({
      name: 'waymark_webhook_attempts_total',
      help: 'Webhook delivery attempts, by the status of the delivery afterwards.',
      labelNames: ['status'],
      registers: [metrics.registry],
    })
  }

  /** Whether to start no more attempts for now, because too many outcomes are not stored yet. */
  get isFull(): boolean {
    return this.#attempts.isFull
  }

  /** Calls `stored` once the outcome is in the database. */
  async record(organisation: OrganisationQueue, job: Job, outcome: AttemptOutcome, stored: () => void): Promise<void> {
    const { clock } = this.#services
    const { orgId } = organisation
    const number = job.delivery.attempt_count + 1
    const isTest = job.lane === 'test'
    const decision = decide({ number, isTest, ...outcome }, Math.random())
    const isDelivered = decision.status === 'delivered'
    this.#counter.inc({ status: decision.status })
    organisation.activeAtMs = clock()
    organisation.ended(job, isDelivered)
    this.#attempts.record(
      {
        ...toRow(orgId, job, number, outcome),
        status_after: decision.status,
        next_attempt_at: decision.status === 'pending' ? timestamp(clock() + decision.delayMs) : null,
      },
      () => {
        job.queue.stored(job.delivery.id)
        stored()
      },
    )
    if (isTest) return
    this.#noteHealth(orgId, job, isDelivered)
    if (!isDelivered && decision.isGone) await this.#disable(orgId, job)
  }

  async close(): Promise<void> {
    await this.#attempts.close()
    await this.#health.close()
  }

  /** Stores every failure, but a success only if the endpoint was failing: most successes then cost no write. */
  #noteHealth(orgId: OrgId, { endpoint }: Job, isDelivered: boolean): void {
    if (!isDelivered) this.#health.failed(orgId, endpoint.id)
    else if (endpoint.isFailing || this.#health.isFailing(endpoint.id)) this.#health.succeeded(orgId, endpoint.id)
    if (isDelivered) endpoint.isFailing = false
  }

  async #disable(orgId: OrgId, { endpoint }: Job): Promise<void> {
    const { database, mails, clock, log } = this.#services
    const nowMs = clock()
    const failure = { url: endpoint.url, failingSince: null, reason: 'The receiver returned 410 Gone.' }
    const notice = disabledNotice(mails, orgId, endpoint.id, nowMs)
    await disableEndpoint(database, orgId, endpoint.id, failure, notice, timestamp(nowMs)).catch((error: unknown) =>
      log.error(
        { err: error, org_id: orgId, webhook_id: endpoint.id },
        'failed to disable an endpoint that returned 410',
      ),
    )
  }
}

const toRow = (
  orgId: OrgId,
  { endpoint, delivery }: Job,
  number: number,
  outcome: AttemptOutcome,
): Omit<AttemptRow, 'status_after' | 'next_attempt_at'> => ({
  org_id: orgId,
  endpoint_id: endpoint.id,
  delivery_id: delivery.id,
  number,
  started_at: timestamp(outcome.startedAtMs),
  duration_ms: outcome.durationMs,
  response_status: outcome.responseStatus,
  error: outcome.error,
  response_body: outcome.responseBody,
})
