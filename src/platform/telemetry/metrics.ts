import { Counter, collectDefaultMetrics, Registry } from 'prom-client'
import { RequestTimes } from './request-times.ts'

export type Metrics = ReturnType<typeof createMetrics>

/** Metrics for Prometheus. Other parts add their own metrics to `registry`. */
export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requestTimes = new RequestTimes()
  registry.registerMetric(requestTimes.asMetric)
  return {
    registry,
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
