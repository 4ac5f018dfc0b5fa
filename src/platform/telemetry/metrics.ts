import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
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

export type Metrics = ReturnType<typeof createMetrics>

/** Metrics for Prometheus. Other parts add their own metrics to `registry`. */
export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requestTimes = new RequestTimes()
  registry.registerMetric(requestTimes.asMetric)
  const gauge = (name: string, help: string, label: string) =>
    new Gauge({ name: `waymark_${name}`, help, labelNames: [label], registers: [registry] })
  const waiting = gauge('queue_waiting', 'Tasks that wait for their turn.', 'queue')
  const running = gauge('queue_running', 'Tasks of a queue that run.', 'queue')
  const used = gauge('budget_used_bytes', 'Bytes in use, of a budget or in a cache.', 'budget')
  const limit = gauge('budget_limit_bytes', 'The limit of a budget or a cache.', 'budget')
  const queues = new Map<string, Queue>()
  const budgets = new Map<string, Budget>()
  return {
    registry,
    /** Shows a queue under this name. */
    watchQueue: (name: string, queue: Queue): void => void queues.set(name, queue),
    /** Shows a budget or a cache under this name. */
    watchBudget: (name: string, budget: Budget): void => void budgets.set(name, budget),
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
