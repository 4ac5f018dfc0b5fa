import type { LoopTurns, SharedCache } from '../../../platform/bounded/index.ts'
import type { Clock } from '../../../platform/clock/index.ts'
import type { ContentLanguage } from '../../../platform/contract/languages.ts'
import type { Compression } from '../../../platform/http/caching/compression.ts'
import type { Encoding } from '../../../platform/http/caching/encoding.ts'
import type { Keyring } from '../../../platform/keyring/index.ts'
import type { Themes } from '../../../platform/look/index.ts'
import type { PublicAddresses } from '../../domains/custom-domain-routes/index.ts'
import type { PublicHosts } from '../../domains/custom-domains/index.ts'
import type { PublicArticle } from '../public-articles/index.ts'
import type { CentrePage } from './centre-page.ts'
import type { Centres } from './centres.ts'
import type { PageSources } from './find-page.ts'

/** The dependencies shared by all visits. */
export interface CentreRequestServices extends PageSources {
  turns: LoopTurns
  keyring: Keyring
  clock: Clock
  hosts: PublicHosts
  addresses: PublicAddresses
  themes: Themes
  compression: Compression
  centres: Centres
  pages: SharedCache<CentrePage>
  /** What decides about the language of a page, by the revision of its knowledge base. */
  languages: SharedCache<ContentLanguage[]>
  articles: SharedCache<PublicArticle>
  /** The slugs of articles that are reached by their ids. */
  slugs: SharedCache<{ slug: string }>
}

export interface CentreVisit {
  host: string
  publicSlug: string
  /** Where a route shows the help centre. Undefined if the visitor came to its own address. */
  shownAt: string | undefined
  /** Relative to the address of the knowledge base. */
  path: string
  /** Undefined if the address has none. */
  query: Record<string, unknown> | undefined
  /** The query as it was sent, with its question mark. */
  search: string
  acceptLanguage: string | undefined
  encoding: Encoding
  /** Whose help centre it is, for the log. Set once it is known. */
  orgId?: string
}
