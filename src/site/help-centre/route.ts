import { LANGUAGES, type Language } from '../../platform/contract/languages.ts'

export type Route =
  | { page: 'home' | 'search' | 'articles' | 'categories' | 'feed' }
  | { page: 'article' | 'category'; slug: string }
  /** Without a part: the whole sitemap, or the index of its parts. */
  | { page: 'sitemap'; part?: number }
  | { page: 'missing' }

export interface Address {
  /** Undefined when the path names none; it is then negotiated by `Accept-Language`. */
  language: Language | undefined
  route: Route
}

const SITEMAP = /^sitemap(?:-([1-9]\d{0,5}))?\.xml$/

/** Whether an address in a help centre can begin with this part. */
export const isCentrePart = (part: string): boolean =>
  parseRoute([part]).page !== 'missing' || LANGUAGES.some((language) => language === part)

/** Parses a path relative to the address of a knowledge base. */
export function parseAddress(path: string): Address {
  const segments = path.split('/')
  if (segments.at(-1) === '') segments.pop()
  const language = LANGUAGES.find((known) => known === segments[0])
  const route = parseRoute(language === undefined ? segments : segments.slice(1))
  // The sitemap covers every language, so it has no address per language.
  if (route.page === 'sitemap' && language !== undefined) return { language, route: { page: 'missing' } }
  return { language, route }
}

function parseRoute([name, slug, ...rest]: string[]): Route {
  if (name === undefined) return { page: 'home' }
  if (rest.length > 0) return { page: 'missing' }
  if (slug !== undefined) {
    if (name === 'articles') return { page: 'article', slug }
    if (name === 'categories') return { page: 'category', slug }
    return { page: 'missing' }
  }
  if (name === 'search' || name === 'articles' || name === 'categories') return { page: name }
  if (name === 'feed.atom') return { page: 'feed' }
  const [sitemap, part] = SITEMAP.exec(name) ?? []
  if (sitemap === undefined) return { page: 'missing' }
  return { page: 'sitemap', ...(part !== undefined && { part: Number(part) }) }
}
