import { type Clock, MINUTE_MS, timestamp, toMs } from '../../../platform/clock/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import { SCHEDULES_TOPIC } from '../history/index.ts'
import { selectDue, selectNextDue } from '../versions/index.ts'

/** One version that has to become effective. */
export type Due = Awaited<ReturnType<typeof selectDue>>[number]

/** How many of the next versions a process knows. */
const KNOWN_MAX = 1000
const AT_ONCE = 50
/** A process may miss an announcement, and another one may end before it is finished. */
const LOOK_AGAIN_MS = MINUTE_MS
const RETRY_MS = 1000

interface ScheduleOptions {
  database: Database
  clock: Clock
  log: Logger
  /** Carries out one, unless another process has. */
  apply: (due: Due) => Promise<void>
}

/**
 * Lets scheduled versions become effective. Scans need nobody for it: they compare times. This stores the new values, for
 * lists and events, as soon as their time has come; and reads wait for it, so that they never show old ones.
 *
 * Every process does it. The first one to lock the owner stores the version, and the others find nothing left to do.
 */
export class Schedules {
  readonly #options: ScheduleOptions
  readonly #stopListening: () => void
  #known: readonly { orgId: OrgId; atMs: number }[] = []
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #isClosed = false

  constructor(options: ScheduleOptions) {
    this.#options = options
    this.#stopListening = options.database.listen({
      changed: (topic) => {
        if (topic === SCHEDULES_TOPIC) void this.#run()
      },
      interrupted: () => {},
      resumed: () => void this.#run(),
    })
    void this.#run()
  }

  /** Resolves when what was due at the time of the call is stored. Undefined if it is. */
  settled(orgId: OrgId): Promise<void> | undefined {
    const nowMs = this.#options.clock()
    const isDue = this.#known.some((next) => next.orgId === orgId && next.atMs <= nowMs)
    return isDue ? this.#runFromNow() : undefined
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopListening()
    clearTimeout(this.#timer)
    await this.#running
  }

  /** A run that has begun may have looked before the moment came. */
  async #runFromNow(): Promise<void> {
    await this.#running
    await this.#run()
  }

  #run(): Promise<void> {
    this.#running ??= this.#applyAll().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async #applyAll(): Promise<void> {
    const { database, clock, log } = this.#options
    let againInMs = LOOK_AGAIN_MS
    try {
      let due: Due[]
      do {
        due = await selectDue(database.read, timestamp(clock()), AT_ONCE)
        for (const each of due) await this.#applyOne(each)
      } while (due.length === AT_ONCE && !this.#isClosed)
      const next = await selectNextDue(database.read, KNOWN_MAX)
      this.#known = next.map(({ org_id, effective_at }) => ({ orgId: org_id, atMs: toMs(effective_at) }))
      const [first] = this.#known
      // One that is still due could not be stored, and must not be tried all the time.
      const leftMs = first === undefined ? againInMs : first.atMs - clock()
      againInMs = Math.min(againInMs, leftMs > 0 ? leftMs : RETRY_MS)
    } catch (error) {
      log.error({ err: error }, 'scheduled versions could not be stored; scans follow them all the same')
      againInMs = RETRY_MS
    }
    clearTimeout(this.#timer)
    if (this.#isClosed) return
    this.#timer = setTimeout(() => void this.#run(), againInMs)
    this.#timer.unref()
  }

  async #applyOne(due: Due): Promise<void> {
    if (this.#isClosed) return
    try {
      await this.#options.apply(due)
    } catch (error) {
      // Its owner was deleted meanwhile, and the version with it.
      if (!(error instanceof ApiError)) throw error
    }
  }
}
