import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { DownloadRequest, OutboundRequest } from './exchange.ts'
import { OutboundError, PROTOCOL_FAILURE } from './outbound-error.ts'

export interface OutboundResponse {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  truncated: boolean
}

/** A response whose body is read while it arrives. */
export interface OutboundDownload {
  status: number
  headers: IncomingHttpHeaders
  /** Throws an `OutboundError` if the body is too large or does not arrive completely. */
  body: AsyncGenerator<Buffer, void>
}

/** Reads the body into memory, up to its limit. */
export async function collect(
  response: IncomingMessage,
  { bodyBytesMax, whenLarger }: OutboundRequest,
): Promise<OutboundResponse> {
  const { statusCode: status = 0, headers } = response
  if (whenLarger === 'fail') checkLength(response, bodyBytesMax)
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of response) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > bodyBytesMax) break
    }
  } catch (error) {
    throw toOutboundError(error)
  }
  const truncated = bytes > bodyBytesMax
  if (truncated && whenLarger === 'fail') throw tooLarge(bodyBytesMax)
  return { status, headers, body: Buffer.concat(chunks, Math.min(bytes, bodyBytesMax)), truncated }
}

/** Passes the body on in chunks. Holds one chunk at a time: the sender waits while `save` is busy. */
export async function stream<T>(
  response: IncomingMessage,
  { bodyBytesMax }: DownloadRequest,
  save: (download: OutboundDownload) => Promise<T>,
): Promise<T> {
  const { statusCode: status = 0, headers } = response
  checkLength(response, bodyBytesMax)
  try {
    return await save({ status, headers, body: limit(response, bodyBytesMax) })
  } finally {
    // Closes the connection if the body was not read to its end.
    response.destroy()
  }
}

async function* limit(response: IncomingMessage, bodyBytesMax: number): AsyncGenerator<Buffer, void> {
  let bytes = 0
  try {
    for await (const chunk of response) {
      bytes += chunk.length
      if (bytes > bodyBytesMax) throw tooLarge(bodyBytesMax)
      yield chunk
    }
  } catch (error) {
    throw toOutboundError(error)
  }
}

function checkLength({ headers }: IncomingMessage, bodyBytesMax: number): void {
  if (Number(headers['content-length']) > bodyBytesMax) throw tooLarge(bodyBytesMax)
}

const tooLarge = (bodyBytesMax: number): OutboundError =>
  new OutboundError('too_large', `The response has more than ${bodyBytesMax} bytes`)

const toOutboundError = (cause: unknown): OutboundError =>
  cause instanceof OutboundError ? cause : new OutboundError('protocol', PROTOCOL_FAILURE, { cause })
