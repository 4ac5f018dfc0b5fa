import type { Lane, WaitingDelivery } from '../../modules/webhooks/webhook-deliveries/index.ts'
import type { DeliveryEndpoint } from '../../modules/webhooks/webhooks/index.ts'

const IN_FLIGHT_MAX = 8
/** So that attempts which failed before never take the place of first ones. */
const RETRIES_MAX = 4
/** After so many failures in a row an endpoint is asked one thing at a time, until it answers well. */
const SUSPECT_FAILURES = 3
/** How much of a lane is held in memory. */
const BUFFER = 32

const LANES: readonly Lane[] = ['test', 'retry', 'new']

/** A part of the queue: what was read of it, what is on its way, and whether the database may have more. */
interface LaneState {
  waiting: WaitingDelivery[]
  inFlight: number
  mayHaveMore: boolean
}

/** What may be started at present, beyond the endpoint's own bounds. */
export interface Room {
  retry: boolean
  suspect: boolean
}

/** What goes to one endpoint: three lanes, read ahead from the database. */
export class EndpointQueue {
  endpoint: DeliveryEndpoint
  readonly #lanes: Record<Lane, LaneState> = { test: newLane(), retry: newLane(), new: newLane() }
  /** Everything between being read and having its outcome stored: the database still shows it as waiting. */
  readonly #taken = new Set<string>()
  /** What was stored since the read under way began, and may still look as if it waited. */
  readonly #storedMeanwhile = new Set<string>()
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

  /** The endpoint as it is now. What was read for one that is paused goes back. */
  follow(endpoint: DeliveryEndpoint): void {
    this.endpoint = endpoint
    if (endpoint.isActive) return
    for (const name of ['retry', 'new'] as const) this.#giveBack(this.#lanes[name])
  }

  /** The database has something in this lane, though it may be what is taken. */
  lookAgain(lane: Lane): void {
    this.#lanes[lane].mayHaveMore = true
  }

  /** What is read but not begun goes back. */
  giveBack(): void {
    for (const name of LANES) this.#giveBack(this.#lanes[name])
  }

  /** The lanes to be read again. */
  wanted(): Lane[] {
    return this.#open().filter((name) => this.#lanes[name].mayHaveMore && this.#lanes[name].waiting.length < BUFFER / 2)
  }

  /** Before a lane is read. Answers how many rows to read: those that are taken come along. */
  beginRead(): number {
    this.#storedMeanwhile.clear()
    return BUFFER + this.#taken.size
  }

  put(name: Lane, rows: readonly WaitingDelivery[], limit: number): void {
    const lane = this.#lanes[name]
    const fresh = rows.filter(({ id }) => !this.#taken.has(id) && !this.#storedMeanwhile.has(id))
    for (const { id } of fresh) this.#taken.add(id)
    lane.waiting.push(...fresh)
    lane.mayHaveMore = rows.length === limit
  }

  next(room: Room): { lane: Lane; delivery: WaitingDelivery } | undefined {
    const lane = this.#open().find((name) => this.#mayStart(name, room))
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

  /** From here on the database tells the truth about it. */
  stored(id: string): void {
    this.#taken.delete(id)
    this.#storedMeanwhile.add(id)
  }

  /** In the order of preference; an endpoint that is paused takes nothing but tests. */
  #open(): readonly Lane[] {
    return this.endpoint.isActive ? LANES : ['test']
  }

  #mayStart(name: Lane, room: Room): boolean {
    const { test, retry, new: first } = this.#lanes
    if (this.#lanes[name].waiting.length === 0) return false
    // A test is somebody looking at the screen, and one at a time is not many.
    if (name === 'test') return test.inFlight === 0
    const inFlight = retry.inFlight + first.inFlight
    if (this.isSuspect) return inFlight === 0 && room.suspect && this.#isTurnOf(name)
    if (inFlight >= IN_FLIGHT_MAX) return false
    if (name === 'new') return true
    // One of them always gets through; more only where no first attempt waits.
    return room.retry && retry.inFlight < RETRIES_MAX && (retry.inFlight === 0 || first.waiting.length === 0)
  }

  /** Where there is room for one only, the two take turns. */
  #isTurnOf(name: 'new' | 'retry'): boolean {
    const other = name === 'new' ? 'retry' : 'new'
    return this.#lastLane !== name || this.#lanes[other].waiting.length === 0
  }

  #giveBack(lane: LaneState): void {
    for (const { id } of lane.waiting.splice(0)) this.#taken.delete(id)
  }
}

const newLane = (): LaneState => ({ waiting: [], inFlight: 0, mayHaveMore: false })
