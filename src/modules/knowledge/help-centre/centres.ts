import { ByteCache } from '../../../platform/bounded/index.ts'
import { type Database, type Listener, WRITES_TOPIC } from '../../../platform/db/index.ts'
import type { PublicHosts } from '../../domains/custom-domains/index.ts'
import { type Centre, findCentre, HELP_CENTRES_TOPIC } from '../public-articles/index.ts'

const BYTES_MAX = 4 * 1024 * 1024
/** Organisations share counters, so that there is a limit. A shared one only means that a row is read once more. */
const COUNTERS = 4096

interface CachedCentre {
  centre: Centre
  /** The counter of its organisation when it was read, or that of ticks on SQLite. */
  changes: number
}

/**
 * Finds help centres and their current revision. On PostgreSQL, a centre is cached until a change of its organisation is
 * announced. On SQLite, it is read in every tick of the event loop, which takes some microseconds: changes by other
 * processes, such as `waymark articles import`, are not announced there. What was read last is kept on both.
 */
export class Centres {
  readonly bytesMax = BYTES_MAX
  readonly #database: Database
  readonly #known = new ByteCache<CachedCentre>(BYTES_MAX, ({ centre }) => 2 * JSON.stringify(centre).length)
  readonly #changes = new Uint32Array(COUNTERS)
  readonly #stopListening: () => void
  #allChanges = 0
  #ticks = 0
  #isTickCounted = false
  #isListening = false

  constructor(database: Database) {
    this.#database = database
    this.#isListening = database.engine === 'sqlite'
    this.#stopListening = this.#isListening ? () => {} : database.listen(this.#listener())
  }

  get usedBytes(): number {
    return this.#known.usedBytes
  }

  close(): void {
    this.#stopListening()
  }

  /** Returns undefined if it has to be read. */
  peek(publicSlug: string): Centre | undefined {
    const known = this.#known.get(publicSlug)
    return known !== undefined && known.changes === this.#changesOf(known.centre.orgId) ? known.centre : undefined
  }

  /** How it was when it was read last, which may have changed since. */
  peekLast(publicSlug: string): Centre | undefined {
    return this.#known.get(publicSlug)?.centre
  }

  /** Returns `gone` if the knowledge base was deleted, and undefined if it does not exist or is not published. */
  async find(publicSlug: string): Promise<Centre | 'gone' | undefined> {
    const known = this.peek(publicSlug)
    if (known !== undefined) return known
    const changesBefore = this.#allChanges
    const centre = await findCentre(this.#database.read, publicSlug)
    if (typeof centre !== 'object') this.#known.delete(publicSlug)
    // If a change was announced in the meantime, this may be the state before it.
    else if (this.#isListening && changesBefore === this.#allChanges) {
      this.#known.set(publicSlug, { centre, changes: this.#changesOf(centre.orgId) })
      if (this.#database.engine === 'sqlite') this.#countTick()
    }
    return centre
  }

  #changesOf(orgId: string): number {
    return this.#database.engine === 'sqlite' ? this.#ticks : (this.#changes[counterOf(orgId)] ?? 0)
  }

  #countTick(): void {
    if (this.#isTickCounted) return
    this.#isTickCounted = true
    setImmediate(() => {
      this.#isTickCounted = false
      this.#ticks++
    })
  }

  #listener(): Listener {
    return {
      changed: (topic, orgId) => {
        if (topic !== HELP_CENTRES_TOPIC && topic !== WRITES_TOPIC) return
        this.#allChanges++
        this.#changes[counterOf(orgId)] = this.#changesOf(orgId) + 1
      },
      interrupted: () => this.#setListening(false),
      resumed: () => this.#setListening(true),
    }
  }

  /** Changes may have been missed. */
  #setListening(isListening: boolean): void {
    this.#isListening = isListening
    this.#allChanges++
    this.#known.clear()
  }
}

const counterOf = (orgId: string): number => Number.parseInt(orgId.slice(-3), 16) % COUNTERS

/** Undefined also if the host shows the content of somebody else. */
export async function findShownCentre(
  { centres, hosts }: { centres: Centres; hosts: PublicHosts },
  { host, publicSlug }: { host: string; publicSlug: string },
): Promise<Centre | 'gone' | undefined> {
  const centre = await centres.find(publicSlug)
  return centre && hosts.showing(host, centre)
}
