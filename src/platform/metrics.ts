import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof createMetrics>

/** What Prometheus reads. One registry per process; below `main/` it is an argument like everything else. */
export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requests = new Histogram({
    name: 'waymark_http_request_seconds',
    help: 'Time to answer, by operation and status.',
    labelNames: ['operation', 'status'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers: [registry],
  })
  /** By operation and status; the library would build a key from the labels for every request. */
  const series = new Map<string, Map<number, { observe(seconds: number): void }>>()
  return {
    registry,
    observeRequest(operation: string, status: number, seconds: number): void {
      const known = series.get(operation)?.get(status)
      if (known !== undefined) {
        known.observe(seconds)
        return
      }
      const added = requests.labels({ operation, status })
      series.set(operation, new Map(series.get(operation)).set(status, added))
      added.observe(seconds)
    },
    rateLimited: new Counter({
      name: 'waymark_rate_limited_total',
      help: 'Requests refused by a rate limit.',
      registers: [registry],
    }),
    idempotentReplays: new Counter({
      name: 'waymark_idempotent_replays_total',
      help: 'Requests answered from the stored answer of their Idempotency-Key.',
      registers: [registry],
    }),
  }
}
