import type { ContentLanguage } from '../contract/languages.ts'
import { BYTES_MIN, type Compression } from '../http/caching/compression.ts'
import type { Encoding } from '../http/caching/encoding.ts'
import { etagIn, etagOf } from '../http/caching/etag.ts'

export const HTML_TYPE = 'text/html; charset=utf-8'

/** A page as it was rendered. */
export interface RenderedPage {
  body: string
  /** The Content-Security-Policy. */
  policy: string
}

/** A page with all that its headers say. */
export interface StorablePage extends RenderedPage {
  status: number
  mediaType: string
  language: ContentLanguage
  /** Whether a language of the page may depend on `Accept-Language`. */
  isNegotiated: boolean
}

/** A page as it is sent, to everyone who asks for it in this encoding. Its sender says who may cache it. */
export interface StoredPage {
  status: number
  body: Buffer
  /** Undefined if nobody should keep the page, because it is not what they asked for. */
  etag: string | undefined
  /** The headers of a response with the body, as names and values in turn. */
  headers: readonly string[]
  /** The headers for visitors who have the body already. */
  unchangedHeaders: readonly string[]
  /** False if it is not compressed because there was too much to do. */
  mayBeKept: boolean
}

const HEADER_BYTES = 1500

export const sizeOf = ({ body }: StoredPage): number => body.length + HEADER_BYTES

interface SentTo {
  encoding: Encoding
  owner: string
  effort: 'once' | 'often'
}

/** Compresses a page. `owner` and `effort` are those of `Compression.compress`. */
export async function toStoredPage(compression: Compression, page: StorablePage, to: SentTo): Promise<StoredPage> {
  const { status, mediaType, language, isNegotiated, policy } = page
  const plain = Buffer.from(page.body)
  const { body, headers, sentAs, mayBeKept } = await toSentBody(compression, plain, mediaType, to)
  const unchangedHeaders = [
    ...['vary', isNegotiated ? 'accept-language, accept-encoding' : 'accept-encoding'],
    ...['content-language', language],
    ...['content-security-policy', policy],
    ...['referrer-policy', 'strict-origin-when-cross-origin'],
  ]
  return {
    status,
    body,
    etag: status === 200 ? etagIn(sentAs, etagOf(plain)) : undefined,
    headers: [...unchangedHeaders, ...headers],
    unchangedHeaders,
    mayBeKept,
  }
}

/** The page with another body, which only one visitor gets. Nobody keeps it, so it has no ETag. */
export async function toOwnPage<Page extends StoredPage>(
  compression: Compression,
  page: Page,
  html: Buffer,
  to: Omit<SentTo, 'effort'>,
): Promise<Page> {
  const { body, headers } = await toSentBody(compression, html, HTML_TYPE, { ...to, effort: 'once' })
  return { ...page, body, headers: [...page.unchangedHeaders, ...headers], etag: undefined, mayBeKept: false }
}

async function toSentBody(compression: Compression, plain: Buffer, mediaType: string, to: SentTo) {
  const { encoding, owner, effort } = to
  const isCompressible = encoding !== 'identity' && plain.length >= BYTES_MIN
  const compressed = isCompressible ? await compression.compress(owner, plain, encoding, effort) : undefined
  const body = compressed ?? plain
  const sentAs: Encoding = compressed === undefined ? 'identity' : encoding
  const headers = [
    ...['content-type', mediaType, 'content-length', String(body.length)],
    ...(sentAs === 'identity' ? [] : ['content-encoding', sentAs]),
  ]
  return { body, headers, sentAs, mayBeKept: !isCompressible || compressed !== undefined }
}
