import type { OrgId } from '../../../platform/ids/index.ts'
import type { Lane, WaitingDelivery } from '../webhook-deliveries/index.ts'
import type { DeliveryEndpoint } from '../webhooks/index.ts'
import { EndpointQueue } from './endpoint-queue.ts'

const IN_FLIGHT_MAX = 32
const RETRIES_MAX = 16
/** Shared by all suspect endpoints, so that however many there are, the others have room. */
const SUSPECTS_MAX = 8

export interface Job {
  queue: EndpointQueue
  /** The endpoint when the attempt started. */
  endpoint: DeliveryEndpoint
  lane: Lane
  delivery: WaitingDelivery
  isSuspect: boolean
}

/** Reads from the database for a queue. */
export interface Source {
  endpoints(): Promise<DeliveryEndpoint[]>
  /** The lanes with due deliveries. */
  lanes(): Promise<{ endpointId: string; lane: Lane }[]>
  read(endpointId: string, lane: Lane, limit: number): Promise<WaitingDelivery[]>
}

/** The deliveries of one organisation. Endpoints take turns, within the limits of the organisation. */
export class OrganisationQueue {
  readonly orgId: OrgId
  /** No attempt starts that could outlast the lease. */
  leasedUntilMs = 0
  /** When work was last found or done; an organisation that is idle for long is released. */
  activeAtMs = 0
  #endpoints: EndpointQueue[] = []
  #turn = 0
  #inFlight = 0
  #retries = 0
  #suspects = 0
  /** Counts announced changes of endpoints, and the value of that count when they were last read. */
  #changes = 1
  #changesRead = 0
  #mayHaveMore = true
  #isRefilling = false

  constructor(orgId: OrgId) {
    this.orgId = orgId
  }

  get isIdle(): boolean {
    return !this.#isRefilling && this.#endpoints.every(({ isIdle }) => isIdle)
  }

  /** Nothing is sent until the endpoints are read again: one may have been paused or have a new secret. */
  get #isStale(): boolean {
    return this.#changes > this.#changesRead
  }

  get needsRefill(): boolean {
    if (this.#isRefilling) return false
    return this.#isStale || this.#mayHaveMore || this.#endpoints.some((queue) => queue.lanesToRead().length > 0)
  }

  endpointsChanged(): void {
    this.#changes++
  }

  checkForMore(): void {
    this.#mayHaveMore = true
  }

  loseLease(): void {
    this.leasedUntilMs = 0
    this.discardUnstarted()
  }

  /** Another worker has or had the lease and may have sent the deliveries that are buffered here. */
  discardUnstarted(): void {
    for (const queue of this.#endpoints) queue.discardUnstarted()
    this.#changes++
    this.#mayHaveMore = true
  }

  async refill(source: Source): Promise<void> {
    this.#isRefilling = true
    try {
      if (this.#isStale) await this.#readEndpoints(source)
      if (this.#mayHaveMore) await this.#readLanes(source)
      for (const queue of this.#endpoints) {
        for (const lane of queue.lanesToRead()) {
          const limit = queue.beginRead()
          queue.put(lane, await source.read(queue.endpoint.id, lane, limit), limit)
        }
      }
    } finally {
      this.#isRefilling = false
    }
  }

  next(): Job | undefined {
    if (this.#isStale || this.#inFlight >= IN_FLIGHT_MAX) return undefined
    const room = { retry: this.#retries < RETRIES_MAX, suspect: this.#suspects < SUSPECTS_MAX }
    for (let step = 0; step < this.#endpoints.length; step++) {
      this.#turn = (this.#turn + 1) % this.#endpoints.length
      const queue = this.#endpoints[this.#turn] as EndpointQueue
      const { isSuspect } = queue
      const next = queue.next(room)
      if (next === undefined) continue
      this.#count({ ...next, isSuspect }, 1)
      return { queue, endpoint: queue.endpoint, isSuspect, ...next }
    }
    return undefined
  }

  ended(job: Job, isDelivered: boolean): void {
    this.#count(job, -1)
    job.queue.ended(job.lane, isDelivered)
  }

  #count({ lane, isSuspect }: Pick<Job, 'lane' | 'isSuspect'>, step: 1 | -1): void {
    this.#inFlight += step
    if (lane === 'retry') this.#retries += step
    if (isSuspect) this.#suspects += step
  }

  /** A change announced during the read makes the result stale again. */
  async #readEndpoints(source: Source): Promise<void> {
    const changes = this.#changes
    const endpoints = await source.endpoints()
    this.#changesRead = changes
    const known = new Map(this.#endpoints.map((queue) => [queue.endpoint.id, queue]))
    this.#endpoints = endpoints.map((endpoint) => {
      const queue = known.get(endpoint.id) ?? new EndpointQueue(endpoint)
      queue.update(endpoint)
      return queue
    })
  }

  async #readLanes(source: Source): Promise<void> {
    this.#mayHaveMore = false
    const lanes = await source.lanes().catch((error: unknown) => {
      this.#mayHaveMore = true
      throw error
    })
    for (const { endpointId, lane } of lanes) {
      this.#endpoints.find(({ endpoint }) => endpoint.id === endpointId)?.checkForMore(lane)
    }
  }
}
