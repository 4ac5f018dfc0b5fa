/** The `Headers` of a fetch request, or the plain `request.headers` object of Node's servers. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

export interface WebhookRequest {
  /** The raw body. A body that was parsed and serialised again has different bytes, so its signature does not match. */
  body: string | Uint8Array
  headers: WebhookHeaders
  /** The whole signing secret, including `whsec_`. Pass an array when several endpoints deliver to this receiver. */
  secret: string | readonly string[]
  /** The current time in Unix seconds, for tests. Defaults to the system clock. */
  nowSeconds?: number
  /** The maximum difference between the signing time and the current time, in either direction. Defaults to 300. */
  toleranceSeconds?: number
  /**
   * Rejects a request without `webhook-signature`, which also covers the delivery id and the event type. Set it unless the
   * sender is a Waymark older than 0.2.0. Without it, that signature is verified if there is one.
   */
  requireSignedEvent?: boolean
}

/** A verified delivery. */
export interface WebhookDelivery {
  /** The same on every attempt and replay. Use it to ignore repeated deliveries. */
  id: string
  event: string
  payload: unknown
  /** When this attempt was signed, in Unix seconds. */
  timestamp: number
}

/** Why a request was rejected. These codes are stable; error messages are for people and may change. */
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
/** A genuine header has at most 150 characters. The limit bounds the work that an unauthenticated sender can cause. */
const SIGNATURE_LENGTH_MAX = 4096
const UNIX_SECONDS = /^[0-9]{1,12}$/
const SECRET_PREFIX = 'whsec_'
const SECRET = /^whsec_\S+$/

/**
 * Verifies that a request was signed with the secret within the tolerance, and returns its delivery. Throws a
 * `WebhookVerificationError` when verification fails, and a `TypeError` when the arguments are invalid.
 */
export async function verifyWebhook({
  body,
  headers,
  secret,
  nowSeconds = Math.floor(Date.now() / 1000),
  toleranceSeconds = TOLERANCE_SECONDS,
  requireSignedEvent = false,
}: WebhookRequest): Promise<WebhookDelivery> {
  const secrets = [secret].flat()
  checkArguments(body, secrets)
  const id = requireHeader(headers, 'X-Service-Delivery')
  const event = requireHeader(headers, 'X-Service-Event')
  const { time, parts } = parseSignature(requireHeader(headers, 'X-Service-Signature'))
  const standard = parseStandardSignature(headers, requireSignedEvent)
  const timestamp = Number(time)
  // Negated on purpose: if the tolerance or the time is NaN, this rejects, while `>` would accept everything.
  if (!(Math.abs(nowSeconds - timestamp) <= toleranceSeconds)) {
    throw new WebhookVerificationError(
      'timestamp_out_of_range',
      'The signing time is outside the tolerance: the request is too old or a clock is wrong',
    )
  }
  const signed = signedBytes(`${time}.`, body)
  // Made of the id and the event that we return: webhook-id repeats them, but need not say the same.
  const complete = signedBytes(`${id}:${event}.${time}.`, body)
  requireMatch(parts, await Promise.all(secrets.map((one) => signHex(one, signed))))
  if (standard !== undefined) {
    requireMatch(standard, await Promise.all(secrets.map((one) => signBase64(one, complete))))
  }
  // Parse the verified copy: the caller may have changed its buffer in the meantime.
  return { id, event, payload: parsePayload(signed.subarray(time.length + 1)), timestamp }
}

/** Catches mistakes in the calling program. With an empty secret anyone could sign. */
function checkArguments(body: unknown, secrets: readonly string[]): void {
  if (typeof body !== 'string' && !ArrayBuffer.isView(body)) {
    throw new TypeError('body must be the raw text or bytes of the request, read before any parser')
  }
  if (secrets.length === 0 || !secrets.every((secret) => SECRET.test(secret))) {
    throw new TypeError('secret must be a complete signing secret that starts with whsec_')
  }
}

function requireHeader(headers: WebhookHeaders, name: string): string {
  const value = findHeader(headers, name)
  if (value === '') throw new WebhookVerificationError('missing_header', `The ${name} header is missing or empty`)
  return value
}

const isFetchHeaders = (headers: WebhookHeaders): headers is { get(name: string): string | null } =>
  typeof headers.get === 'function'

/** Joins a repeated header as `fetch` does, so that both kinds of headers give the same result. */
function findHeader(headers: WebhookHeaders, name: string): string {
  if (isFetchHeaders(headers)) return headers.get(name) ?? ''
  return Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name.toLowerCase())
    .flatMap(([, value]) => value ?? [])
    .join(', ')
}

function requireMatch(parts: readonly string[], expected: readonly (string | undefined)[]): void {
  const isGenuine = (signature: string | undefined) =>
    signature !== undefined && parts.some((part) => equalInConstantTime(part, signature))
  if (expected.some(isGenuine)) return
  throw new WebhookVerificationError(
    'no_match',
    'No signature matches: wrong secret, or the body, the id or the event type was changed after it was sent',
  )
}

/** Parses `t=<Unix seconds>,v1=<hex>`. Parts can be in any order, `v1` can be repeated, unknown parts are ignored. */
function parseSignature(header: string): { time: string; parts: string[] } {
  const parts = header.length > SIGNATURE_LENGTH_MAX ? [] : header.split(',')
  const [time, ...more] = parts.filter((part) => part.startsWith('t=')).map((part) => part.slice(2))
  if (time === undefined || more.length > 0 || !UNIX_SECONDS.test(time)) {
    throw new WebhookVerificationError('malformed_signature', 'X-Service-Signature must contain exactly one time (t=)')
  }
  if (!parts.some((part) => part.startsWith('v1='))) {
    throw new WebhookVerificationError('malformed_signature', 'X-Service-Signature contains no signature (v1=)')
  }
  return { time, parts }
}

/** Parses the header of Standard Webhooks: `v1,<base64>`, separated by spaces. Undefined if there is none and need not be. */
function parseStandardSignature(headers: WebhookHeaders, isRequired: boolean): string[] | undefined {
  const name = 'webhook-signature'
  const header = isRequired ? requireHeader(headers, name) : findHeader(headers, name)
  if (header.length > SIGNATURE_LENGTH_MAX) {
    throw new WebhookVerificationError('malformed_signature', 'webhook-signature is too long')
  }
  return header === '' ? undefined : header.split(' ')
}

/** Uses the time exactly as sent: `007` and `7` are the same number but have different signatures. */
function signedBytes(prefix: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const before = new TextEncoder().encode(prefix)
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const signed = new Uint8Array(before.length + bytes.length)
  signed.set(before)
  signed.set(bytes, before.length)
  return signed
}

async function signHex(secret: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = await hmac(new TextEncoder().encode(secret), bytes)
  return `v1=${Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** Undefined if the secret is not in base64: then it is none of Waymark's. */
async function signBase64(secret: string, bytes: Uint8Array<ArrayBuffer>): Promise<string | undefined> {
  const key = decodeBase64(secret.slice(SECRET_PREFIX.length))
  return key && `v1,${btoa(String.fromCharCode(...(await hmac(key, bytes))))}`
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** Called once per secret, not per signature: the sender chooses the body size and the number of signatures. */
async function hmac(key: Uint8Array<ArrayBuffer>, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, bytes))
}

/** Stopping at the first difference would reveal, by its timing, how much of a forged signature is correct. */
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
    throw new WebhookVerificationError('malformed_payload', 'The signature is valid, but the body is not JSON')
  }
}
