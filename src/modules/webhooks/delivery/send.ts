import { type Clock, SECOND_MS } from '../../../platform/clock/index.ts'
import { type OutboundClient, OutboundError } from '../../../platform/outbound/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import type { WaitingDelivery } from '../webhook-deliveries/index.ts'
import type { DeliveryEndpoint } from '../webhooks/index.ts'
import { readRetryAfter } from './retry-after.ts'
import { sign } from './sign.ts'

/** The response to an attempt, or why there was none. */
export interface AttemptOutcome {
  startedAtMs: number
  durationMs: number
  responseStatus: number | null
  /** A kind of error such as `timeout`; null if there was a response. */
  error: string | null
  responseBody: string | null
  retryAfterMs: number | null
}

const TIMEOUT_MS = 15 * SECOND_MS
const RESPONSE_BYTES_MAX = 64 * 1024
/** Bytes of the response body to store, so that the owner of the receiver can see its error message. */
const STORED_BYTES = 2048

interface SendServices {
  outbound: OutboundClient
  clock: Clock
  log: Logger
}

/** Makes one attempt. Never throws: errors are part of the outcome. */
export async function send(
  { outbound, clock, log }: SendServices,
  endpoint: DeliveryEndpoint,
  delivery: WaitingDelivery,
): Promise<AttemptOutcome> {
  const startedAtMs = clock()
  const startedMs = performance.now()
  const { id, type } = delivery
  const body = JSON.stringify(delivery.payload)
  const response = await outbound
    .request(endpoint.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Waymark',
        'x-service-event': type,
        'x-service-delivery': id,
        ...sign(endpoint, delivery, body, startedAtMs),
      },
      body,
      timeoutMs: TIMEOUT_MS,
      bodyBytesMax: RESPONSE_BYTES_MAX,
      whenLarger: 'truncate',
    })
    .catch((error: unknown) => {
      if (error instanceof OutboundError) return error.kind
      // A bug of ours. The delivery is retried as if the receiver had failed.
      log.error({ err: error, delivery_id: id }, 'failed to send a delivery')
      return 'internal'
    })
  const durationMs = Math.round(performance.now() - startedMs)
  if (typeof response === 'string') {
    return { startedAtMs, durationMs, responseStatus: null, error: response, responseBody: null, retryAfterMs: null }
  }
  return {
    startedAtMs,
    durationMs,
    responseStatus: response.status,
    error: null,
    responseBody: toText(response.body),
    retryAfterMs: readRetryAfter(response.headers['retry-after'], clock()),
  }
}

/** PostgreSQL cannot store NUL in text. */
const toText = (body: Buffer): string => body.toString('utf8', 0, STORED_BYTES).replaceAll('\0', '\ufffd')
