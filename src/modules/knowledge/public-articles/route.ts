import { type ContentLanguage, canonicalTag } from '../../../platform/contract/languages.ts'
import { LOWER_CASE_UUID } from '../../../platform/ids/index.ts'

export type CentreRoute =
  | { page: 'home' | 'search' | 'articles' | 'categories' | 'feed' }
  /** `feedback` asks what was missing in an article. */
  | { page: 'article' | 'category' | 'feedback'; slug: string }
  /** An address of an article that stays when its slug changes. */
  | { page: 'permalink'; articleId: string }
  /** Without a part, it is the whole sitemap, or the index of its parts. */
  | { page: 'sitemap'; part?: number }
  | { page: 'missing' }

export interface Address {
  /** Undefined when the path names none; it is then negotiated by `Accept-Language`. */
  language: ContentLanguage | undefined
  route: CentreRoute
}

const SITEMAP = /^sitemap(?:-([1-9]\d{0,5}))?\.xml$/

/** Whether an address in a help centre can begin with this part. */
export const isCentrePart = (part: string): boolean => parseRoute([part]).page !== 'missing' || isLanguage(part)

/** Parses a path relative to the address of a knowledge base. */
export function parseAddress(path: string): Address {
  const segments = path.split('/')
  if (segments.at(-1) === '') segments.pop()
  const [first = ''] = segments
  const language = isLanguage(first) ? first : undefined
  const route = parseRoute(language === undefined ? segments : segments.slice(1))
  // The sitemap covers every language, so it has no address per language.
  if (route.page === 'sitemap' && language !== undefined) return { language, route: { page: 'missing' } }
  return { language, route }
}

/** Only in its canonical form, so that a page has one address. */
const isLanguage = (part: string): boolean => /^[a-z]{2,3}(?:-|$)/.test(part) && canonicalTag(part) === part

function parseRoute([name, slug, ...rest]: string[]): CentreRoute {
  if (name === undefined) return { page: 'home' }
  if (name === 'articles' && slug !== undefined && rest.join('/') === 'feedback') return { page: 'feedback', slug }
  if (rest.length > 0) return { page: 'missing' }
  if (slug !== undefined) {
    if (name === 'articles') return { page: 'article', slug }
    if (name === 'categories') return { page: 'category', slug }
    if (name === 'a' && LOWER_CASE_UUID.test(slug)) return { page: 'permalink', articleId: slug }
    return { page: 'missing' }
  }
  if (name === 'search' || name === 'articles' || name === 'categories') return { page: name }
  if (name === 'feed.atom') return { page: 'feed' }
  const [sitemap, part] = SITEMAP.exec(name) ?? []
  if (sitemap === undefined) return { page: 'missing' }
  return { page: 'sitemap', ...(part !== undefined && { part: Number(part) }) }
}
