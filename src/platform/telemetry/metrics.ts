import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { thisBuild } from './build.ts'
import { RequestTimes } from './request-times.ts'

/** A queue with a limit. */
interface Queue {
  readonly waiting: number
  readonly running: number
}

/** A budget or a cache that is limited by bytes. */
interface Budget {
  readonly usedBytes: number
  readonly bytesMax: number
}

/** Makes entries durable, such as scans, in a journal, and stores them a moment later. */
interface Recorder {
  readonly waiting: number
  readonly ageMs: number
  journalBytes(): Promise<number>
  readonly lost: { readonly count: number }
}

/** Connections to a database. */
interface Pool {
  readonly inUse: number
  readonly waiting: number
  readonly connectionsMax: number
}

export type Metrics = ReturnType<typeof createMetrics>

/** Metrics for Prometheus. Other parts add their own metrics to `registry`. */
export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // Gauges, in spite of their names, and sums of gauges that are shown, too.
  for (const kind of ['resources', 'handles', 'requests']) registry.removeSingleMetric(`nodejs_active_${kind}_total`)
  const requestTimes = new RequestTimes()
  registry.registerMetric(requestTimes.asMetric)
  const { version, commit } = thisBuild()
  new Gauge({
    name: 'waymark_build_info',
    help: 'What runs: always 1, with the version and the commit as labels.',
    labelNames: ['version', 'commit'],
    registers: [registry],
  }).set({ version, commit: commit ?? '' }, 1)
  const gauge = (name: string, help: string, label: string) =>
    new Gauge({ name: `waymark_${name}`, help, labelNames: [label], registers: [registry] })
  const waiting = gauge('queue_waiting', 'Tasks that wait for their turn.', 'queue')
  const running = gauge('queue_running', 'Tasks of a queue that run.', 'queue')
  const used = gauge('budget_used_bytes', 'Bytes in use, of a budget or in a cache.', 'budget')
  const limit = gauge('budget_limit_bytes', 'The limit of a budget or a cache.', 'budget')
  const recording = gauge('records_waiting', 'Scans and page views that are not durable yet.', 'records')
  const journals = gauge('journal_bytes', 'Scans and page views in files that the database has not got yet.', 'records')
  const ages = gauge(
    'journal_age_seconds',
    'How long the oldest scan or page view has been waiting to be stored.',
    'records',
  )
  const inUse = gauge('database_connections_in_use', 'Connections to the database that are in use.', 'pool')
  const queued = gauge('database_connections_waiting', 'Callers that wait for a connection to the database.', 'pool')
  const connections = gauge('database_connections_limit', 'The largest number of connections of a pool.', 'pool')
  const queues = new Map<string, Queue>()
  const budgets = new Map<string, Budget>()
  const recorders = new Map<string, Recorder>()
  const pools = new Map<string, Pool>()
  return {
    registry,
    /** Shows a queue under this name. */
    watchQueue: (name: string, queue: Queue): void => void queues.set(name, queue),
    /** Shows a budget or a cache under this name. */
    watchBudget: (name: string, budget: Budget): void => void budgets.set(name, budget),
    /** Shows what waits to be made durable under this name. */
    watchRecorder(name: string, recorder: Recorder): void {
      recorders.set(name, recorder)
      const lost: Counter = new Counter({
        name: `waymark_${name}_lost_total`,
        help: `The ${name} that could be written to neither database nor journal.`,
        registers: [registry],
        collect: () => {
          lost.reset()
          lost.inc(recorder.lost.count)
        },
      })
    },
    /** Shows the connections of a pool under this name. */
    watchPool: (name: string, pool: Pool): void => void pools.set(name, pool),
    /** The current metrics as text. */
    async show(): Promise<string> {
      for (const [queue, { waiting: waits, running: runs }] of queues) {
        waiting.set({ queue }, waits)
        running.set({ queue }, runs)
      }
      for (const [budget, { usedBytes, bytesMax }] of budgets) {
        used.set({ budget }, usedBytes)
        limit.set({ budget }, bytesMax)
      }
      for (const [records, recorder] of recorders) {
        recording.set({ records }, recorder.waiting)
        journals.set({ records }, await recorder.journalBytes())
        ages.set({ records }, recorder.ageMs / 1000)
      }
      for (const [name, { inUse: uses, waiting: waits, connectionsMax }] of pools) {
        inUse.set({ pool: name }, uses)
        queued.set({ pool: name }, waits)
        connections.set({ pool: name }, connectionsMax)
      }
      return registry.metrics()
    },
    refused: new Counter({
      name: 'waymark_refused_total',
      help: 'Requests and connections that were refused or closed to protect others, by the limit that was reached.',
      labelNames: ['limit'],
      registers: [registry],
    }),
    observeRequest: (operation: string, status: number, seconds: number): void =>
      requestTimes.observe(operation, status, seconds),
    rateLimited: new Counter({
      name: 'waymark_rate_limited_total',
      help: 'Requests refused by a rate limit.',
      registers: [registry],
    }),
    idempotentReplays: new Counter({
      name: 'waymark_idempotent_replays_total',
      help: 'Requests that got the stored response of their Idempotency-Key.',
      registers: [registry],
    }),
  }
}
