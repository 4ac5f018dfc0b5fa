import type { Lane, WaitingDelivery } from '../webhook-deliveries/index.ts'
import type { DeliveryEndpoint } from '../webhooks/index.ts'

const IN_FLIGHT_MAX = 8
/** Leaves room for first attempts. */
const RETRIES_MAX = 4
/** After this many failures in a row an endpoint is suspect: it gets one request at a time until one succeeds. */
const SUSPECT_FAILURES = 3
/** How many deliveries of a lane to read ahead. */
const BUFFER = 32

/** The order of preference. */
const LANES: readonly Lane[] = ['test', 'retry', 'new']

interface LaneState {
  waiting: WaitingDelivery[]
  inFlight: number
  mayHaveMore: boolean
}

/** What the limits of the organisation allow, in addition to those of the endpoint. */
export interface Room {
  retry: boolean
  suspect: boolean
}

/** The deliveries of one endpoint: three lanes, read ahead from the database. */
export class EndpointQueue {
  endpoint: DeliveryEndpoint
  readonly #lanes: Record<Lane, LaneState> = { test: newLane(), retry: newLane(), new: newLane() }
  /** Deliveries from being read until their outcome is stored. The database still shows them as waiting. */
  readonly #taken = new Set<string>()
  /** Outcomes stored since the current read started. That read may still show their deliveries as waiting. */
  readonly #storedDuringRead = new Set<string>()
  #failuresInARow = 0
  #lastLane: Lane = 'retry'

  constructor(endpoint: DeliveryEndpoint) {
    this.endpoint = endpoint
  }

  get isSuspect(): boolean {
    return this.#failuresInARow >= SUSPECT_FAILURES
  }

  get isIdle(): boolean {
    return this.#taken.size === 0
  }

  /** Discards buffered deliveries if the endpoint is paused. */
  update(endpoint: DeliveryEndpoint): void {
    this.endpoint = endpoint
    if (endpoint.isActive) return
    for (const name of ['retry', 'new'] as const) this.#discard(this.#lanes[name])
  }

  /** The database has deliveries in this lane, though possibly only those taken already. */
  checkForMore(lane: Lane): void {
    this.#lanes[lane].mayHaveMore = true
  }

  discardUnstarted(): void {
    for (const name of LANES) this.#discard(this.#lanes[name])
  }

  /** The lanes that run low and may have more in the database. */
  lanesToRead(): Lane[] {
    return this.#openLanes().filter(
      (name) => this.#lanes[name].mayHaveMore && this.#lanes[name].waiting.length < BUFFER / 2,
    )
  }

  /** Call it before reading a lane. Returns how many rows to read, since the read also returns taken deliveries. */
  beginRead(): number {
    this.#storedDuringRead.clear()
    return BUFFER + this.#taken.size
  }

  put(name: Lane, rows: readonly WaitingDelivery[], limit: number): void {
    const lane = this.#lanes[name]
    const fresh = rows.filter(({ id }) => !this.#taken.has(id) && !this.#storedDuringRead.has(id))
    for (const { id } of fresh) this.#taken.add(id)
    lane.waiting.push(...fresh)
    lane.mayHaveMore = rows.length === limit
  }

  next(room: Room): { lane: Lane; delivery: WaitingDelivery } | undefined {
    const lane = this.#openLanes().find((name) => this.#mayStart(name, room))
    const delivery = lane && this.#lanes[lane].waiting.shift()
    if (lane === undefined || delivery === undefined) return undefined
    this.#lanes[lane].inFlight++
    this.#lastLane = lane
    return { lane, delivery }
  }

  ended(lane: Lane, isDelivered: boolean): void {
    this.#lanes[lane].inFlight--
    if (lane !== 'test') this.#failuresInARow = isDelivered ? 0 : this.#failuresInARow + 1
  }

  /** The database now shows the outcome of this delivery. */
  stored(id: string): void {
    this.#taken.delete(id)
    this.#storedDuringRead.add(id)
  }

  /** A paused endpoint gets only tests. */
  #openLanes(): readonly Lane[] {
    return this.endpoint.isActive ? LANES : ['test']
  }

  #mayStart(name: Lane, room: Room): boolean {
    const { test, retry, new: firstAttempts } = this.#lanes
    if (this.#lanes[name].waiting.length === 0) return false
    // Someone is waiting for the result of a test, so the other limits of the endpoint do not apply.
    if (name === 'test') return test.inFlight === 0
    const inFlight = retry.inFlight + firstAttempts.inFlight
    if (this.isSuspect) return inFlight === 0 && room.suspect && this.#isTurnOf(name)
    if (inFlight >= IN_FLIGHT_MAX) return false
    if (name === 'new') return true
    // One retry always gets through; more only if no first attempt is waiting.
    return room.retry && retry.inFlight < RETRIES_MAX && (retry.inFlight === 0 || firstAttempts.waiting.length === 0)
  }

  /** With room for only one attempt, the two lanes take turns. */
  #isTurnOf(name: 'new' | 'retry'): boolean {
    const other = name === 'new' ? 'retry' : 'new'
    return this.#lastLane !== name || this.#lanes[other].waiting.length === 0
  }

  #discard(lane: LaneState): void {
    for (const { id } of lane.waiting.splice(0)) this.#taken.delete(id)
  }
}

const newLane = (): LaneState => ({ waiting: [], inFlight: 0, mayHaveMore: false })
