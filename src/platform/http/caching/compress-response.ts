import type { Exchange, HttpResponse } from '../pipeline/exchange.ts'
import type { Route } from '../pipeline/routes.ts'
import { BYTES_MIN, type Compression, SERVICE } from './compression.ts'
import { chooseEncoding } from './encoding.ts'

/** See `compression.ts`. */
export function mayBeCompressed(
  { operation: { declared } }: Route,
  { body, mediaType, errorCode }: HttpResponse,
): boolean {
  const isJson = mediaType === undefined && errorCode === undefined
  const isAllowed = declared.method === 'GET' && declared.hasOutsideText === undefined && isJson
  return isAllowed && body.length >= BYTES_MIN
}

/** Compresses a response for its client, if that accepts it, and sets the headers that belong to it. */
export async function compressResponse(
  response: HttpResponse,
  exchange: Exchange,
  compression: Compression,
): Promise<HttpResponse> {
  exchange.headers.vary = 'accept-encoding'
  const encoding = chooseEncoding(exchange.sent.headers['accept-encoding'])
  if (encoding === 'identity') return response
  const key = exchange.credential?.orgId ?? SERVICE
  const body = await compression.compress(key, Buffer.from(response.body), encoding, 'once')
  if (body === undefined) return response
  exchange.headers['content-encoding'] = encoding
  return { ...response, body }
}
