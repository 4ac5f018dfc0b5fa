import { ApiError } from '../../../errors/index.ts'
import type { RateDecision } from '../../../rate-limit/index.ts'
import type { Exchange, Services, Step } from '../exchange.ts'

/**
 * Counts the request against the limits of its organisation, over all API keys, and sets the rate limit headers. A
 * person who is signed in has the same limits for themselves: programs must not lock people out.
 */
export const limitRate: Step = (exchange, services) => {
  const { kind, userId, orgId, caps } = exchange.caller
  const key = kind === 'session' ? `user:${userId}` : orgId
  const decision = services.limiter.take(key, caps, exchange.nowMs)
  if (decision instanceof Promise) return decision.then((resolved) => apply(resolved, exchange, services))
  apply(decision, exchange, services)
}

function apply(
  { admitted, minute, hour, retryAfterSeconds }: RateDecision,
  exchange: Exchange,
  services: Services,
): void {
  exchange.headers = {
    'x-ratelimit-limit-minute': String(minute.limit),
    'x-ratelimit-remaining-minute': String(minute.remaining),
    'x-ratelimit-reset-minute': String(minute.resetSeconds),
    'x-ratelimit-limit-hour': String(hour.limit),
    'x-ratelimit-remaining-hour': String(hour.remaining),
    'x-ratelimit-reset-hour': String(hour.resetSeconds),
  }
  if (admitted) return
  services.metrics.rateLimited.inc()
  throw new ApiError('rate_limited', `Too many requests. Retry after ${retryAfterSeconds} s.`, { retryAfterSeconds })
}
