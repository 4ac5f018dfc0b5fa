import { FairQueue, QueueFull } from '../../../../platform/bounded/index.ts'
import { SECOND_MS } from '../../../../platform/clock/index.ts'
import { DatabaseUnavailable } from '../../../../platform/db/failures.ts'
import type { Database } from '../../../../platform/db/index.ts'
import { withTimeout } from '../../../../platform/db/timeout.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import type { NoticeSender } from '../../../../platform/notices/index.ts'
import type { Logger } from '../../../../platform/telemetry/logging.ts'
import type { Metrics } from '../../../../platform/telemetry/metrics.ts'
import { getProfile } from '../../../account/organisations/index.ts'
import { centrePath, findMainCentre } from '../../../knowledge/public-articles/index.ts'
import { findShownThing, type ScannedThing } from '../../scanned-things/index.ts'

/** A poster with a paused code must not keep the scans of others waiting. */
const QUEUE_LIMITS = { runningMax: 4, runningPerKeyMax: 2, waitingPerKeyMax: 100, waitMsMax: SECOND_MS }
const TIMEOUT_MS = SECOND_MS

/** Finds out who is behind a code that shows a notice. */
export class Senders {
  readonly #database: Database
  readonly #log: Logger
  readonly #queue = new FairQueue(QUEUE_LIMITS)

  constructor(database: Database, log: Logger, metrics: Metrics) {
    this.#database = database
    this.#log = log
    metrics.watchQueue('notice_senders', this.#queue)
  }

  /** Returns undefined if that cannot be found out now: the notice is more important. `baseUrl` is that of the scanned host. */
  async find(orgId: OrgId, thing: ScannedThing | null, baseUrl: string): Promise<NoticeSender | undefined> {
    try {
      return await this.#queue.run(orgId, () => withTimeout(this.#load(orgId, thing, baseUrl), TIMEOUT_MS))
    } catch (error) {
      const isExpected = error instanceof DatabaseUnavailable || error instanceof QueueFull
      if (!isExpected) this.#log.error({ err: error }, 'the sender of a notice could not be found')
      return undefined
    }
  }

  async #load(orgId: OrgId, thing: ScannedThing | null, baseUrl: string): Promise<NoticeSender> {
    const { read } = this.#database
    const [{ name, logo_url, brand, fallback_url }, centre, scanned] = await Promise.all([
      getProfile(read, orgId),
      findMainCentre(read, orgId),
      thing && findShownThing(read, orgId, thing),
    ])
    return {
      name,
      logoUrl: logo_url,
      brand,
      scanned,
      helpCentreUrl: centre === undefined ? null : baseUrl + centrePath(centre.publicSlug),
      email: centre?.contactEmail ?? null,
      phone: centre?.contactPhone ?? null,
      websiteUrl: fallback_url,
    }
  }
}
