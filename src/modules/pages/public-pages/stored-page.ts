import type { ContentLanguage } from '../../../platform/contract/languages.ts'
import { BYTES_MIN, type Compression } from '../../../platform/http/caching/compression.ts'
import type { Encoding } from '../../../platform/http/caching/encoding.ts'
import { etagIn, etagOf } from '../../../platform/http/caching/etag.ts'
import type { RenderedPage } from './site.ts'

/** A page as it is sent, to everyone who gets it in this language and encoding. */
export interface StoredPage {
  body: Buffer
  etag: string
  /** Headers of every response, names and values in turn. */
  common: readonly string[]
  /** Headers of a response with a body. */
  content: readonly string[]
  /** False if it is not compressed because there was too much to do. */
  mayBeKept: boolean
}

const HEADER_BYTES = 1500

export const sizeOf = ({ body }: StoredPage): number => body.length + HEADER_BYTES

/** `owner` and `effort` as for `Compression.compress`. */
export async function toStoredPage(
  compression: Compression,
  { html, policy }: RenderedPage,
  language: ContentLanguage,
  encoding: Encoding,
  owner: string,
  effort: 'once' | 'often',
): Promise<StoredPage> {
  const plain = Buffer.from(html)
  const isCompressible = encoding !== 'identity' && plain.length >= BYTES_MIN
  const compressed = isCompressible ? await compression.compress(owner, plain, encoding, effort) : undefined
  const body = compressed ?? plain
  const sentAs = compressed === undefined ? 'identity' : encoding
  return {
    body,
    etag: etagIn(sentAs, etagOf(plain)),
    common: [
      ...['vary', 'accept-language, accept-encoding'],
      ...['content-language', language],
      ...['content-security-policy', policy],
      ...['referrer-policy', 'strict-origin-when-cross-origin'],
    ],
    content: [
      ...['content-type', 'text/html; charset=utf-8', 'content-length', String(body.length)],
      ...(sentAs === 'identity' ? [] : ['content-encoding', sentAs]),
    ],
    mayBeKept: !isCompressible || compressed !== undefined,
  }
}
