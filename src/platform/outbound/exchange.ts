import type { Agent, IncomingMessage } from 'node:http'
import https from 'node:https'
import { urlToHttpOptions } from 'node:url'
import { http } from '../http/node-http.ts'
import { OutboundError, PROTOCOL_FAILURE } from './outbound-error.ts'

export interface DownloadRequest {
  method: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string | Buffer
  /** Covers everything from the DNS lookup to the last byte of the response. */
  timeoutMs: number
  bodyBytesMax: number
}

export interface OutboundRequest extends DownloadRequest {
  /** What to do with a larger response: fail with `too_large`, or return its first bytes. */
  whenLarger: 'fail' | 'truncate'
}

const HEADER_BYTES_MAX = 16 * 1024

/** The stages of an exchange, and the message if it fails there. */
const FAILURES = {
  connect: 'The host could not be reached',
  tls: 'The TLS connection failed. Check the certificate of the host',
  protocol: PROTOCOL_FAILURE,
}

/**
 * Sends one request. Does not follow redirects and does not decompress the response. `receive` reads the response; its
 * result or error is that of the exchange.
 */
export function exchange<T>(
  url: URL,
  agent: Agent,
  options: DownloadRequest,
  receive: (response: IncomingMessage) => Promise<T>,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
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
  let response: IncomingMessage | undefined
  const end = (error: unknown): void => {
    reject(error)
    request.destroy()
  }
  const fail = (cause?: Error): void => {
    const error = cause instanceof OutboundError ? cause : new OutboundError(stage, FAILURES[stage], { cause })
    // Makes `receive` fail, so that the exchange ends only when nothing of it is left in memory or on disk.
    if (response !== undefined) response.destroy(error)
    else end(error)
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
  request.on('response', (incoming) => {
    response = incoming
    receive(incoming).then(resolve, end)
  })
  request.on('error', fail)
  // A protocol upgrade (101) closes the request without a response or an error.
  request.on('close', () => {
    if (response === undefined) fail()
  })
  request.end(options.body)
  return promise.finally(() => clearTimeout(timer))
}
