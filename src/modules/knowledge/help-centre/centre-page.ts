import type { Compression } from '../../../platform/http/caching/compression.ts'
import type { Encoding } from '../../../platform/http/caching/encoding.ts'
import { type StorablePage, type StoredPage, toStoredPage } from '../../../platform/pages/index.ts'
import type { CentreRoute } from '../public-articles/index.ts'
import type { NoticeKind } from './pages/notices.ts'

/** Logs and metrics name the page by these. */
interface Named {
  page: CentreRoute['page'] | NoticeKind
}

/** A page of a help centre as it is sent. */
export interface CentrePage extends StoredPage, Named {
  /** The headers that say who may cache it. */
  caching: readonly string[]
}

const RETRY_SECONDS = 5

export async function toCentrePage(
  compression: Compression,
  rendered: StorablePage & Named,
  to: { encoding: Encoding; owner: string; effort: 'once' | 'often' },
): Promise<CentrePage> {
  const stored = await toStoredPage(compression, rendered, to)
  return { ...stored, page: rendered.page, caching: cachingHeaders(stored) }
}

/** Caches must revalidate every time, because a withdrawn article must disappear at once. */
const cachingHeaders = ({ status, etag }: StoredPage): string[] => [
  ...['cache-control', etag === undefined ? 'no-store' : 'public, no-cache'],
  ...(status >= 500 ? ['retry-after', String(RETRY_SECONDS)] : []),
]

const NOTHING = Buffer.alloc(0)

/** Leads somewhere else: for good (301), or for now (302). */
export const toRedirect = (status: 301 | 302, page: CentrePage['page'], location: string): CentrePage => ({
  status,
  page,
  body: NOTHING,
  etag: undefined,
  headers: ['location', location, 'content-length', '0', ...(status === 302 ? ['x-robots-tag', 'noindex'] : [])],
  unchangedHeaders: [],
  caching: ['cache-control', 'no-store'],
  mayBeKept: false,
})
