import { Counter, collectDefaultMetrics, Registry } from 'prom-client'
import { RequestTimes } from './request-times.ts'

export type Metrics = ReturnType<typeof createMetrics>

/** What Prometheus reads. One registry per process; below `main/` it is an argument like everything else. */
export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requestTimes = new RequestTimes()
  registry.registerMetric(requestTimes.asMetric)
  return {
    registry,
    observeRequest: (operation: string, status: number, seconds: number): void =>
      requestTimes.observe(operation, status, seconds),
    webhookAttempts: new Counter({
      name: 'waymark_webhook_attempts_total',
      help: 'Attempts to deliver an event, by what became of the delivery.',
      labelNames: ['status'],
      registers: [registry],
    }),
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
