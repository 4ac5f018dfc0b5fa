import type { Lane, WaitingDelivery } from '../../modules/webhooks/webhook-deliveries/index.ts'
import type { DeliveryEndpoint } from '../../modules/webhooks/webhooks/index.ts'
import type { OrgId } from '../../platform/ids/index.ts'
import { EndpointQueue } from './endpoint-queue.ts'

const IN_FLIGHT_MAX = 32
const RETRIES_MAX = 16
/** Endpoints that do nothing but fail share this much, so that however many there are, the others have room. */
const SUSPECTS_MAX = 8

/** One attempt to be made. */
export interface Job {
  queue: EndpointQueue
  /** As it was when the attempt began. */
  endpoint: DeliveryEndpoint
  lane: Lane
  delivery: WaitingDelivery
  isSuspect: boolean
}

/** Where a queue is filled from. */
export interface Source {
  endpoints(): Promise<DeliveryEndpoint[]>
  /** The lanes in which something waits. */
  lanes(): Promise<{ endpointId: string; lane: Lane }[]>
  read(endpointId: string, lane: Lane, limit: number): Promise<WaitingDelivery[]>
}

/** What goes out for one organisation: its endpoints in turn, within what it may have in flight. */
export class OrganisationQueue {
  readonly orgId: OrgId
  /** Nothing is begun that could outlast the lease. */
  leasedUntilMs = 0
  /** When something was last under way. */
  activeAtMs = 0
  #endpoints: EndpointQueue[] = []
  #turn = 0
  #inFlight = 0
  #retries = 0
  #suspects = 0
  /** How often the endpoints were said to have changed, and up to which of these they were read. */
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

  /** Until the endpoints were read again nothing goes out: one may have been paused, or have a new secret. */
  get #isStale(): boolean {
    return this.#changes > this.#changesRead
  }

  get needsRefill(): boolean {
    if (this.#isRefilling) return false
    return this.#isStale || this.#mayHaveMore || this.#endpoints.some((queue) => queue.wanted().length > 0)
  }

  endpointsChanged(): void {
    this.#changes++
  }

  lookAgain(): void {
    this.#mayHaveMore = true
  }

  /** Nothing more is begun. */
  loseLease(): void {
    this.leasedUntilMs = 0
    this.giveBack()
  }

  /** The lease is somebody else's, or was: what is read but not begun may have been sent by them. */
  giveBack(): void {
    for (const queue of this.#endpoints) queue.giveBack()
    this.#changes++
    this.#mayHaveMore = true
  }

  async refill(source: Source): Promise<void> {
    this.#isRefilling = true
    try {
      if (this.#isStale) await this.#followEndpoints(source)
      if (this.#mayHaveMore) await this.#followLanes(source)
      for (const queue of this.#endpoints) {
        for (const lane of queue.wanted()) {
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

  /** What changes while they are read makes it stale again. */
  async #followEndpoints(source: Source): Promise<void> {
    const changes = this.#changes
    const endpoints = await source.endpoints()
    this.#changesRead = changes
    const known = new Map(this.#endpoints.map((queue) => [queue.endpoint.id, queue]))
    this.#endpoints = endpoints.map((endpoint) => {
      const queue = known.get(endpoint.id) ?? new EndpointQueue(endpoint)
      queue.follow(endpoint)
      return queue
    })
  }

  async #followLanes(source: Source): Promise<void> {
    this.#mayHaveMore = false
    const lanes = await source.lanes().catch((error: unknown) => {
      this.#mayHaveMore = true
      throw error
    })
    for (const { endpointId, lane } of lanes) {
      this.#endpoints.find(({ endpoint }) => endpoint.id === endpointId)?.lookAgain(lane)
    }
  }
}
