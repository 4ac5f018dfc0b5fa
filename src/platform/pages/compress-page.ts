import type { IncomingMessage } from 'node:http'
import { BYTES_MIN, type Compression } from '../http/caching/compression.ts'
import { chooseEncoding } from '../http/caching/encoding.ts'
import type { PageResponse } from './page-response.ts'

/** Compresses a page that is made for one visitor. `owner` is that of `Compression.compress`. */
export async function compressPage(
  compression: Compression,
  request: IncomingMessage,
  page: PageResponse,
  owner: string,
): Promise<PageResponse> {
  const headers = { ...page.headers, vary: 'accept-encoding' }
  const encoding = chooseEncoding(request.headers['accept-encoding'])
  const plain = Buffer.from(page.body)
  const isWorthIt = encoding !== 'identity' && plain.length >= BYTES_MIN
  const body = isWorthIt ? await compression.compress(owner, plain, encoding, 'once') : undefined
  return body === undefined
    ? { ...page, headers }
    : { ...page, body, headers: { ...headers, 'content-encoding': encoding } }
}
