/** Either what `fetch` and its relatives call headers, or the plain object that Node's servers give. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

export interface WebhookRequest {
  /** The body as it arrived. One that was parsed and written again has other bytes, and another signature. */
  body: string | Uint8Array
  headers: WebhookHeaders
  /** The whole signing secret, `whsec_` included; several when this receiver stands for several endpoints. */
  secret: string | readonly string[]
  /** The present, in Unix seconds; the clock's by default. */
  nowSeconds?: number
  /** How far the time of signing may lie from the present, on either side. */
  toleranceSeconds?: number
}

export interface WebhookDelivery {
  /** The same on every attempt and every replay: what was done for it once need not be done again. */
  id: string
  event: string
  payload: unknown
  /** When this attempt was signed, in Unix seconds. */
  timestamp: number
}

/** Stable, so that programs can tell them apart; the error's message is for people and may change. */
export type WebhookRefusal =
  | 'missing_header'
  | 'malformed_signature'
  | 'timestamp_out_of_range'
  | 'no_match'
  | 'malformed_payload'

export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly reason: WebhookRefusal

  constructor(reason: WebhookRefusal, message: string) {
    super(message)
    this.reason = reason
  }
}

const TOLERANCE_SECONDS = 300
/** A genuine header has 150 characters at most. Whoever may send without a key must not choose how much we compare. */
const SIGNATURE_LENGTH_MAX = 4096
const UNIX_SECONDS = /^[0-9]{1,12}$/
const SECRET = /^whsec_\S+$/

/**
 * The delivery, once it is certain that a holder of the secret signed its time and body just now; otherwise throws a
 * `WebhookVerificationError`, and a `TypeError` when it is called with what cannot be right.
 */
export async function verifyWebhook({
  body,
  headers,
  secret,
  nowSeconds = Math.floor(Date.now() / 1000),
  toleranceSeconds = TOLERANCE_SECONDS,
}: WebhookRequest): Promise<WebhookDelivery> {
  const secrets = [secret].flat()
  checkUse(body, secrets)
  const id = requireHeader(headers, 'X-Service-Delivery')
  const event = requireHeader(headers, 'X-Service-Event')
  const { time, parts } = parseSignature(requireHeader(headers, 'X-Service-Signature'))
  const timestamp = Number(time)
  // Written so that a tolerance or a present that is no number refuses, where `>` would let everything pass.
  if (!(Math.abs(nowSeconds - timestamp) <= toleranceSeconds)) {
    throw new WebhookVerificationError('timestamp_out_of_range', 'It was signed too long ago, or a clock is wrong')
  }
  const signed = signedBytes(time, body)
  const expected = await Promise.all(secrets.map((one) => sign(one, signed)))
  if (!expected.some((signature) => parts.some((part) => equalInConstantTime(part, signature)))) {
    throw new WebhookVerificationError(
      'no_match',
      'No signature matches: another secret, or not the body as it was sent',
    )
  }
  // From the bytes that were verified, whatever has become of the caller's meanwhile.
  return { id, event, payload: parsePayload(signed.subarray(time.length + 1)), timestamp }
}

/** Mistakes of the receiver's own program. An empty secret is one that everybody knows. */
function checkUse(body: unknown, secrets: readonly string[]): void {
  if (typeof body !== 'string' && !ArrayBuffer.isView(body)) {
    throw new TypeError('body must be the raw text or bytes of the request, taken before anything parsed it')
  }
  if (secrets.length === 0 || !secrets.every((secret) => SECRET.test(secret))) {
    throw new TypeError('secret must be a whole signing secret, which starts with whsec_')
  }
}

function requireHeader(headers: WebhookHeaders, name: string): string {
  const value = isFetchHeaders(headers) ? headers.get(name) : findHeader(headers, name.toLowerCase())
  if (!value) throw new WebhookVerificationError('missing_header', `There is no ${name} header`)
  return value
}

const isFetchHeaders = (headers: WebhookHeaders): headers is { get(name: string): string | null } =>
  typeof headers.get === 'function'

/** A header that was sent twice is joined as `fetch` joins it, so that both kinds of headers mean the same. */
const findHeader = (headers: Exclude<WebhookHeaders, { get(name: string): string | null }>, name: string): string =>
  Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value ?? [])
    .join(', ')

/** `t=<Unix seconds>,v1=<hex>`, in any order, with as many `v1` as there are secrets; what is unknown may be there. */
function parseSignature(header: string): { time: string; parts: string[] } {
  const parts = header.length > SIGNATURE_LENGTH_MAX ? [] : header.split(',')
  const [time, ...more] = parts.filter((part) => part.startsWith('t=')).map((part) => part.slice(2))
  if (time === undefined || more.length > 0 || !UNIX_SECONDS.test(time)) {
    throw new WebhookVerificationError('malformed_signature', 'X-Service-Signature does not have one time (t=)')
  }
  if (!parts.some((part) => part.startsWith('v1='))) {
    throw new WebhookVerificationError('malformed_signature', 'X-Service-Signature has no signature (v1=)')
  }
  return { time, parts }
}

/** The time as it was written: `007` and `7` are one number, and two signatures. */
function signedBytes(time: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const before = new TextEncoder().encode(`${time}.`)
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const signed = new Uint8Array(before.length + bytes.length)
  signed.set(before)
  signed.set(bytes, before.length)
  return signed
}

/** Once per secret, however many signatures there are to compare with: the body is the sender's choice. */
async function sign(secret: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['sign'])
  const digest = new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes))
  return `v1=${Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** Stopping at the first difference would tell, by the time it takes, how much of a forged signature is right. */
function equalInConstantTime(given: string, expected: string): boolean {
  if (given.length !== expected.length) return false
  let difference = 0
  for (let at = 0; at < expected.length; at++) difference |= given.charCodeAt(at) ^ expected.charCodeAt(at)
  return difference === 0
}

function parsePayload(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    throw new WebhookVerificationError('malformed_payload', 'The signature is good, but the body is not JSON')
  }
}
