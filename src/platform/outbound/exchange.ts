import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { urlToHttpOptions } from 'node:url'
import { OutboundError } from './outbound-error.ts'

export interface OutboundRequest {
  method: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string | Buffer
  /** From the look-up to the last byte of the answer. */
  timeoutMs: number
  bodyBytesMax: number
  /** What becomes of an answer with more bytes: `too_large`, or its first bytes. */
  whenLarger: 'fail' | 'truncate'
}

export interface OutboundAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  truncated: boolean
}

const HEADER_BYTES_MAX = 16 * 1024

/** How far an exchange has come, and what to say when it breaks there. */
const BROKEN = {
  connect: 'The host could not be reached',
  tls: 'The host could not prove who it is, or offered no secure connection',
  protocol: 'The host broke off, or did not answer in HTTP',
}

/** One request and its answer as it came: nothing is followed, and nothing is decompressed. */
export function exchange(url: URL, agent: http.Agent, asked: OutboundRequest): Promise<OutboundAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<OutboundAnswer>()
  const isHttps = url.protocol === 'https:'
  const request = (isHttps ? https : http).request({
    ...urlToHttpOptions(url),
    agent,
    method: asked.method,
    // A compressed answer could be a thousand times the bytes that its reader is ready for.
    headers: { ...asked.headers, 'accept-encoding': 'identity' },
    maxHeaderSize: HEADER_BYTES_MAX,
  })
  let stage: keyof typeof BROKEN = 'connect'
  let isAnswered = false
  const fail = (cause?: Error): void => {
    reject(cause instanceof OutboundError ? cause : new OutboundError(stage, BROKEN[stage], { cause }))
    request.destroy()
  }
  // An error is made when there is one: its stack costs a sixth of an exchange.
  const timer = setTimeout(
    () => fail(new OutboundError('timeout', `There was no complete answer within ${asked.timeoutMs} ms`)),
    asked.timeoutMs,
  )

  request.on('socket', (socket) => {
    // Its connection was made long ago: whatever waited for that would pile up, and wait for ever.
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
    isAnswered = true
    receive(response, asked).then(resolve, fail)
  })
  request.on('error', fail)
  // A server that answers by changing the protocol (101) gets no further than this, and causes no error.
  request.on('close', () => {
    if (!isAnswered) fail()
  })
  request.end(asked.body)
  return promise.finally(() => clearTimeout(timer))
}

async function receive(
  response: IncomingMessage,
  { bodyBytesMax, whenLarger }: OutboundRequest,
): Promise<OutboundAnswer> {
  const { statusCode: status = 0, headers } = response
  const tooLarge = () => new OutboundError('too_large', `The answer has more than ${bodyBytesMax} bytes`)
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
