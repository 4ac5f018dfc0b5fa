import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { urlToHttpOptions } from 'node:url'
import { OutboundError } from './outbound-error.ts'

export interface OutboundRequest {
  method: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string | Buffer
  /** Covers everything from the DNS lookup to the last byte of the response. */
  timeoutMs: number
  bodyBytesMax: number
  /** For a larger response: fail with `too_large`, or return its first bytes. */
  whenLarger: 'fail' | 'truncate'
}

export interface OutboundResponse {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  truncated: boolean
}

const HEADER_BYTES_MAX = 16 * 1024

/** The stages of an exchange, and the message if it fails there. */
const FAILURES = {
  connect: 'The host could not be reached',
  tls: 'The TLS connection failed. Check the certificate of the host',
  protocol: 'The host closed the connection or did not send a valid HTTP response',
}

/** Sends one request. Does not follow redirects and does not decompress the response. */
export function exchange(url: URL, agent: http.Agent, options: OutboundRequest): Promise<OutboundResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<OutboundResponse>()
  const isHttps = url.protocol === 'https:'
  const request = (isHttps ? https : http).request({
    ...urlToHttpOptions(url),
    agent,
    method: options.method,
    // A compressed response could expand to a thousand times the size limit.
    headers: { ...options.headers, 'accept-encoding': 'identity' },
    maxHeaderSize: HEADER_BYTES_MAX,
  })
  let stage: keyof typeof FAILURES = 'connect'
  let hasResponse = false
  const fail = (cause?: Error): void => {
    reject(cause instanceof OutboundError ? cause : new OutboundError(stage, FAILURES[stage], { cause }))
    request.destroy()
  }
  // Creates the error only when it is needed: its stack trace costs a sixth of an exchange.
  const timer = setTimeout(
    () =>
      fail(new OutboundError('timeout', `The host did not send a complete response within ${options.timeoutMs} ms`)),
    options.timeoutMs,
  )

  request.on('socket', (socket) => {
    // A reused socket emits neither event again, so these listeners would pile up on it.
    if (request.reusedSocket) {
      stage = 'protocol'
      return
    }
    socket.once('connect', () => {
      stage = isHttps ? 'tls' : 'protocol'
    })
    socket.once('secureConnect', () => {
      stage = 'protocol'
    })
  })
  request.on('response', (response) => {
    hasResponse = true
    receive(response, options).then(resolve, fail)
  })
  request.on('error', fail)
  // A protocol upgrade (101) closes the request without a response or an error.
  request.on('close', () => {
    if (!hasResponse) fail()
  })
  request.end(options.body)
  return promise.finally(() => clearTimeout(timer))
}

async function receive(
  response: IncomingMessage,
  { bodyBytesMax, whenLarger }: OutboundRequest,
): Promise<OutboundResponse> {
  const { statusCode: status = 0, headers } = response
  const tooLarge = () => new OutboundError('too_large', `The response has more than ${bodyBytesMax} bytes`)
  if (whenLarger === 'fail' && Number(headers['content-length']) > bodyBytesMax) throw tooLarge()
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > bodyBytesMax) break
  }
  const truncated = bytes > bodyBytesMax
  if (truncated && whenLarger === 'fail') throw tooLarge()
  return { status, headers, body: Buffer.concat(chunks, Math.min(bytes, bodyBytesMax)), truncated }
}
