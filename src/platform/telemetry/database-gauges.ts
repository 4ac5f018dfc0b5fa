import { Gauge, type Registry } from 'prom-client'
import { SECOND_MS } from '../clock/index.ts'
import { withTimeout } from '../db/timeout.ts'

/** Values that are younger are not read again. */
const FRESH_MS = SECOND_MS
/** Reading takes at most this share of the time, however often somebody asks. */
const READ_SHARE = 0.1
/** While the database does not respond, the last values are better than no metrics at all. */
const WAIT_MS_MAX = 2 * SECOND_MS

interface Value {
  value: number
  labels?: Record<string, string>
}

export interface DatabaseGauge<Facts> {
  /** Has no prefix: all our metrics get the same one. */
  name: string
  help: string
  labelNames?: string[]
  valuesOf: (facts: Facts) => Value[]
}

/** Shows numbers that `read` finds in the database, by one read for all gauges. */
export function watchDatabase<Facts>(
  registry: Registry,
  read: () => Promise<Facts>,
  gauges: readonly DatabaseGauge<Facts>[],
): void {
  const facts = new SharedRead(read)
  for (const { name, help, labelNames = [], valuesOf } of gauges) {
    new Gauge({
      name: `waymark_${name}`,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const found = await facts.get()
        if (found === undefined) return
        for (const { labels = {}, value } of valuesOf(found)) this.set(labels, value)
      },
    })
  }
}

/** Lets all who ask at about the same time share a read. */
class SharedRead<Facts> {
  readonly #read: () => Promise<Facts>
  #running: Promise<void> | undefined
  #last: Facts | undefined
  #freshUntilMs = 0

  constructor(read: () => Promise<Facts>) {
    this.#read = read
  }

  /** Undefined if nothing could be read yet. */
  async get(): Promise<Facts | undefined> {
    if (performance.now() >= this.#freshUntilMs) {
      this.#running ??= this.#refresh().finally(() => {
        this.#running = undefined
      })
      await withTimeout(this.#running, WAIT_MS_MAX).catch(() => {})
    }
    return this.#last
  }

  async #refresh(): Promise<void> {
    const startedMs = performance.now()
    try {
      this.#last = await this.#read()
    } finally {
      const endedMs = performance.now()
      this.#freshUntilMs = endedMs + Math.max(FRESH_MS, (endedMs - startedMs) / READ_SHARE)
    }
  }
}
