import { ByteCache } from '../../../platform/bounded/index.ts'
import { type Clock, SECOND_MS } from '../../../platform/clock/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import { withTimeout } from '../../../platform/db/timeout.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { countScansOf } from '../scans/index.ts'
import { compiledOf, rulesOf, type Situation } from './decide.ts'
import type { Resolved } from './resolve.ts'

const BYTES_MAX = 4 * 1024 * 1024
const ENTRY_BYTES = 200
/** Other instances count the same code, and store what they count as often. */
const FRESH_MS = 200
const LOADED_WITHIN_MS = SECOND_MS

interface Counted {
  /** The scans by people so far. */
  scans: number
  loadedAtMs: number
}

/** What a scan counts for. */
type Counting = Pick<Resolved, 'orgId' | 'id' | 'objectId'>

interface Options {
  database: Database
  clock: Clock
  /** Waits until everything is stored that was recorded before the call. */
  settled: (orgId: OrgId) => Promise<unknown> | undefined
}

/**
 * Which scan of a code or object the next one is: the stored counter, and what this process has recorded since. Known only for
 * those whose rules ask for it. What other instances have recorded is known a moment after it is stored.
 */
export class ScanNumbers {
  readonly bytesMax = BYTES_MAX
  readonly #options: Options
  readonly #counted = new ByteCache<Counted>(BYTES_MAX, () => ENTRY_BYTES)
  /** The scans that were recorded while the counter is being read: it may have some of them. */
  readonly #loading = new Map<string, { recorded: string[]; done: Promise<void> }>()

  constructor(options: Options) {
    this.#options = options
  }

  get usedBytes(): number {
    return this.#counted.usedBytes
  }

  /** The number of this scan. Undefined if it is unknown. */
  next({ orgId, id, objectId }: Counting, of: 'code' | 'object'): number | undefined {
    const countedId = of === 'code' ? id : objectId
    return countedId === null ? undefined : this.#peek(orgId, countedId)
  }

  /** Loads the numbers that the rules ask for. Undefined if there is nothing to load. */
  missing({ orgId, id, objectId }: Counting, situation: Situation): Promise<unknown> | undefined {
    const rules = rulesOf(situation)
    if (rules === undefined) return undefined
    const { code, object } = compiledOf(rules).usesScanNumber
    const ids = [code ? id : null, object ? objectId : null].filter((each) => each !== null)
    const unknown = ids.filter((each) => this.#peek(orgId, each) === undefined)
    return unknown.length === 0 ? undefined : Promise.all(unknown.map((each) => this.#load(orgId, each)))
  }

  /** A scan by a person was recorded. */
  note({ id, objectId }: Counting, scanId: string): void {
    this.#note(id, scanId)
    if (objectId !== null && objectId !== id) this.#note(objectId, scanId)
  }

  #peek(orgId: OrgId, id: string): number | undefined {
    const counted = this.#counted.get(id)
    if (counted === undefined) return undefined
    const isStale = this.#options.clock() - counted.loadedAtMs >= FRESH_MS
    // On SQLite there is no other instance.
    if (isStale && this.#options.database.engine === 'postgres') this.#load(orgId, id).catch(() => {})
    return counted.scans + 1
  }

  #load(orgId: OrgId, id: string): Promise<void> {
    const loading = this.#loading.get(id)
    if (loading !== undefined) return loading.done
    const recorded: string[] = []
    const done = this.#read(orgId, id, recorded).finally(() => this.#loading.delete(id))
    this.#loading.set(id, { recorded, done })
    return done
  }

  #note(id: string, scanId: string): void {
    const counted = this.#counted.get(id)
    if (counted !== undefined) counted.scans++
    this.#loading.get(id)?.recorded.push(scanId)
  }

  async #read(orgId: OrgId, id: string, recorded: readonly string[]): Promise<void> {
    const { database, clock, settled } = this.#options
    await settled(orgId)
    const loadedAtMs = clock()
    const before = [...recorded]
    const { total, stored } = await withTimeout(countScansOf(database.read, orgId, id, before), LOADED_WITHIN_MS)
    this.#counted.set(id, { scans: total - stored + recorded.length, loadedAtMs })
  }
}
