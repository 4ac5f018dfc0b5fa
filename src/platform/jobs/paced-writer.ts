import { setTimeout as sleep } from 'node:timers/promises'
import type { LoopTurns } from '../bounded/index.ts'
import type { Database, Tx } from '../db/index.ts'
import type { OrgId } from '../ids/index.ts'

/** After a transaction of this length, the database is left to others for as long; after a longer one, for longer. */
const USUAL_MS = 5
const REST_MS_MAX = 250
/** While other organisations send requests, a rest takes this many times as long. */
const SHARED_FACTOR = 3

const restAfter = (heldMs: number): number => Math.min(REST_MS_MAX, heldMs * Math.max(1, heldMs / USUAL_MS))

/** Runs transactions of background work with rests between them, so that requests find the writer free. */
export class PacedWriter {
  readonly #database: Database
  readonly #turns: LoopTurns
  #restUntilMs = 0

  constructor(database: Database, turns: LoopTurns) {
    this.#database = database
    this.#turns = turns
  }

  /** The rest after this transaction is at least `restMsMin`. */
  async write<T>(orgId: OrgId, work: (tx: Tx) => Promise<T>, restMsMin = 0): Promise<T> {
    const restMs = this.#restUntilMs - performance.now()
    if (restMs > 0) await sleep(restMs)
    // A failure is followed by a pause, too: it would often fail again at once.
    let heldMs = REST_MS_MAX
    try {
      // Not measured from here: waiting for others is no burden on them.
      let startedAtMs = 0
      const result = await this.#database.write((tx) => {
        startedAtMs = performance.now()
        return work(tx)
      }, orgId)
      heldMs = performance.now() - startedAtMs
      return result
    } finally {
      const restMs = restAfter(heldMs) * (this.#turns.isShared(orgId) ? SHARED_FACTOR : 1)
      this.#restUntilMs = performance.now() + Math.max(restMsMin, restMs)
    }
  }
}
