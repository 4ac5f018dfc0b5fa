import type { ContentLanguage } from '../../../platform/contract/languages.ts'
import type { Compression } from '../../../platform/http/caching/compression.ts'
import { BYTES_MIN } from '../../../platform/http/caching/compression.ts'
import type { Encoding } from '../../../platform/http/caching/encoding.ts'
import { etagIn, etagOf } from '../../../platform/http/caching/etag.ts'
import type { Route } from '../public-articles/index.ts'
import type { NoticeKind } from './pages/notices.ts'

/** A page as it was rendered. */
export interface Answer {
  status: number
  /** The name of the page in logs and metrics. */
  page: Route['page'] | NoticeKind
  mediaType: string
  body: string
  language: ContentLanguage
  /** Whether a language of the page may depend on `Accept-Language`. */
  isNegotiated: boolean
  policy: string
}

/** A page as it is sent, to everyone who asks for it in this encoding. */
export interface StoredPage extends Pick<Answer, 'status' | 'page'> {
  body: Buffer
  /** Names and values in turn. */
  headers: readonly string[]
  /** What visitors get who have the page already. Undefined if it has no ETag. */
  unchanged: { etag: string; headers: readonly string[] } | undefined
  /** False if it is not compressed because there was too much to do. */
  mayBeKept: boolean
}

const RETRY_SECONDS = 5
const HEADER_BYTES = 1500

export const sizeOf = ({ body }: StoredPage): number => body.length + HEADER_BYTES

/** `owner` and `effort` as for `Compression.compress`. */
export async function toStoredPage(
  compression: Compression,
  answer: Answer,
  encoding: Encoding,
  owner: string,
  effort: 'once' | 'often',
): Promise<StoredPage> {
  const { status, page, mediaType } = answer
  const plain = Buffer.from(answer.body)
  const isCompressible = encoding !== 'identity' && plain.length >= BYTES_MIN
  const compressed = isCompressible ? await compression.compress(owner, plain, encoding, effort) : undefined
  const body = compressed ?? plain
  const sentAs = compressed === undefined ? 'identity' : encoding
  const etag = status === 200 ? etagIn(sentAs, etagOf(plain)) : undefined
  const common = commonHeaders(answer, etag)
  return {
    status,
    page,
    body,
    headers: [
      ...common,
      ...['content-type', mediaType, 'content-length', String(body.length)],
      ...(sentAs === 'identity' ? [] : ['content-encoding', sentAs]),
    ],
    unchanged: etag === undefined ? undefined : { etag, headers: common },
    mayBeKept: !isCompressible || compressed !== undefined,
  }
}

/** Caches must revalidate every time, because a withdrawn article must disappear at once. */
const commonHeaders = ({ status, language, isNegotiated, policy }: Answer, etag: string | undefined): string[] => [
  ...(etag === undefined ? ['cache-control', 'no-store'] : ['etag', etag, 'cache-control', 'public, no-cache']),
  ...(status >= 500 ? ['retry-after', String(RETRY_SECONDS)] : []),
  ...['vary', isNegotiated ? 'accept-language, accept-encoding' : 'accept-encoding'],
  ...['content-language', language],
  ...['content-security-policy', policy],
  ...['referrer-policy', 'strict-origin-when-cross-origin'],
]

const NOTHING = Buffer.alloc(0)

/** Leads somewhere else: for good (301), or for now (302). */
export const toRedirect = (status: 301 | 302, page: StoredPage['page'], location: string): StoredPage => ({
  status,
  page,
  body: NOTHING,
  headers: [
    ...['location', location, 'content-length', '0', 'cache-control', 'no-store'],
    ...(status === 302 ? ['x-robots-tag', 'noindex'] : []),
  ],
  unchanged: undefined,
  mayBeKept: false,
})
