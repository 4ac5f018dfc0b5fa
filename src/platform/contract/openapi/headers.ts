import type { Components } from './components.ts'
import type { Json, Ref } from './json.ts'

type Headers = Record<string, Ref>

const UNIX_SECOND = 1_781_045_458

const windowHeaders = (window: 'Minute' | 'Hour', limit: number): Record<string, Json> => {
  const name = window.toLowerCase()
  return {
    [`X-RateLimit-Limit-${window}`]: {
      description: `Requests that your organisation may make per ${name}.`,
      schema: { type: 'integer', minimum: 1, examples: [limit] },
    },
    [`X-RateLimit-Remaining-${window}`]: {
      description: `Requests that are left in the rolling window of one ${name}.`,
      schema: { type: 'integer', minimum: 0, examples: [limit - 1] },
    },
    [`X-RateLimit-Reset-${window}`]: {
      description: `Unix time in seconds at which all requests so far will have left the window of one ${name}.`,
      schema: { type: 'integer', examples: [UNIX_SECOND] },
    },
  }
}

const REQUEST_ID: Record<string, Json> = {
  'X-Request-Id': {
    description: 'The ID of this request. Include it when you contact support.',
    schema: { type: 'string', pattern: '^req_[0-9A-Za-z]{16}$', examples: ['req_4fK9sLmQ2xWb7TzA'] },
  },
}

const RATE_LIMITS: Record<string, Json> = {
  ...windowHeaders('Minute', 600),
  ...windowHeaders('Hour', 20_000),
}

const REPLAYED: Record<string, Json> = {
  'Idempotent-Replayed': {
    description: 'Present if this is the stored response to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
  },
}

const RETRY_AFTER: Record<string, Json> = {
  'Retry-After': {
    description: 'Wait this many seconds before you retry.',
    schema: { type: 'integer', minimum: 1, examples: [12] },
  },
}

const refer = (components: Components, headers: Record<string, Json>): Headers =>
  Object.fromEntries(
    Object.entries(headers).map(([name, header]) => [name, components.ref('headers', name, () => header)]),
  )

export const successHeaders = (components: Components, method: string): Headers =>
  refer(components, { ...REQUEST_ID, ...RATE_LIMITS, ...(method === 'POST' && REPLAYED) })

/** The headers of an error response. It has the rate limits unless it precedes authentication. */
export const errorHeaders = (components: Components, status: number): Headers =>
  refer(components, {
    ...REQUEST_ID,
    ...(status !== 401 && status !== 413 && RATE_LIMITS),
    ...((status === 409 || status === 429) && RETRY_AFTER),
  })
