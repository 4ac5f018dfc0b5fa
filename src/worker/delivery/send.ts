import type { WaitingDelivery } from '../../modules/webhooks/webhook-deliveries/index.ts'
import type { DeliveryEndpoint } from '../../modules/webhooks/webhooks/index.ts'
import { type Clock, SECOND_MS } from '../../platform/clock/index.ts'
import { type OutboundClient, OutboundError } from '../../platform/outbound/index.ts'
import type { Logger } from '../../platform/telemetry/logging.ts'
import { readRetryAfter } from './retry-after.ts'
import { sign } from './sign.ts'

/** What came back, or why nothing did. */
export interface Outcome {
  startedAtMs: number
  durationMs: number
  responseStatus: number | null
  /** A class such as `timeout`; null when there was an answer, whatever it was. */
  error: string | null
  responseBody: string | null
  retryAfterMs: number | null
}

const TIMEOUT_MS = 15 * SECOND_MS
const RESPONSE_BYTES_MAX = 64 * 1024
/** What is kept of an answer, so that whoever runs the receiver sees what it said. */
const KEPT_BYTES = 2048

/** What it takes to send. */
export interface Sender {
  outbound: OutboundClient
  clock: Clock
  log: Logger
}

/** One attempt. It never throws: what goes wrong on the way is its outcome. */
export async function send(
  { outbound, clock, log }: Sender,
  endpoint: DeliveryEndpoint,
  { id, type, payload }: WaitingDelivery,
): Promise<Outcome> {
  const startedAtMs = clock()
  const began = performance.now()
  const body = JSON.stringify(payload)
  const { timestamp, signature } = sign(endpoint, body, startedAtMs)
  const came = await outbound
    .request(endpoint.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Waymark',
        'x-service-event': type,
        'x-service-delivery': id,
        'x-service-timestamp': timestamp,
        'x-service-signature': signature,
      },
      body,
      timeoutMs: TIMEOUT_MS,
      bodyBytesMax: RESPONSE_BYTES_MAX,
      whenLarger: 'truncate',
    })
    .catch((error: unknown) => {
      if (error instanceof OutboundError) return error.kind
      // A defect of ours; the delivery is tried again as if it were the receiver's.
      log.error({ err: error, delivery_id: id }, 'a delivery could not be sent')
      return 'internal'
    })
  const durationMs = Math.round(performance.now() - began)
  if (typeof came === 'string') {
    return { startedAtMs, durationMs, responseStatus: null, error: came, responseBody: null, retryAfterMs: null }
  }
  return {
    startedAtMs,
    durationMs,
    responseStatus: came.status,
    error: null,
    responseBody: toText(came.body),
    retryAfterMs: readRetryAfter(came.headers['retry-after'], clock()),
  }
}

/** PostgreSQL stores no zero byte in a text. */
const toText = (body: Buffer): string => body.toString('utf8', 0, KEPT_BYTES).replaceAll('\0', '\ufffd')
