import type { LoopTurns, SharedCache } from '../../../platform/bounded/index.ts'
import { type ContentLanguage, LANGUAGES, type Language } from '../../../platform/contract/languages.ts'
import { type Compression, SERVICE } from '../../../platform/http/caching/compression.ts'
import type { Encoding } from '../../../platform/http/caching/encoding.ts'
import { HTML_TYPE } from '../../../platform/pages/index.ts'
import { interfaceLanguageFor } from '../../../platform/text/interface-language.ts'
import { nearestOf, negotiate } from '../../../platform/text/negotiate-language.ts'
import type { PublicAddresses } from '../../domains/custom-domain-routes/index.ts'
import type { PublicHosts } from '../../domains/custom-domains/index.ts'
import { selectLanguages } from '../article-search/index.ts'
import {
  type ArticleText,
  articlePath,
  type Centre,
  type CentreRoute,
  centrePath,
  findArticle,
  findPublicSlug,
  homePath,
  listLanguages,
  type PublicArticle,
  parseAddress,
} from '../public-articles/index.ts'
import { type CentrePage, toCentrePage, toRedirect } from './centre-page.ts'
import type { Centres } from './centres.ts'
import { findPage, type PageSources } from './find-page.ts'
import { createPageContext, type PageContext } from './page-context.ts'
import type { ShownArticle } from './pages/article.ts'
import { renderPage } from './pages/layout.ts'
import { missingView, type NoticeKind, renderNotice } from './pages/notices.ts'
import type { CentreView } from './pages/view.ts'
import { isFirstPage, NO_QUERY, type PageQuery, parseQuery } from './search/query.ts'
import type { Themes } from './theme.ts'

/** The dependencies shared by all visits. */
export interface CentreRequestServices extends PageSources {
  turns: LoopTurns
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

/** What a page depends on, besides its knowledge base. */
interface Address {
  route: CentreRoute
  query: PageQuery
  language: ContentLanguage
  interfaceLanguage: Language
  /** Whether the path names the language. */
  isPinned: boolean
  encoding: Encoding
  shown: ShownArticle | undefined
  /** See `PageContext`. */
  place: Pick<PageContext, 'at' | 'canonicalAt'>
}

/**
 * Answers from memory alone, in some microseconds. Returns undefined if something has to be loaded or made. A change of a
 * knowledge base changes its revision, and with it the keys of everything that is cached for it.
 */
export function findKnownPage(services: CentreRequestServices, visit: CentreVisit): CentrePage | undefined {
  const centre = services.centres.peek(visit.publicSlug)
  if (centre === undefined || !services.hosts.isKnownToShow(visit.host, centre.orgId)) return undefined
  visit.orgId = centre.orgId
  const canonicalAt = services.addresses.peekCanonical(centre, centrePath(centre.publicSlug))
  if (canonicalAt === undefined) return undefined
  const parsed = parseAddress(visit.path)
  const { route } = parsed
  const languages = services.languages.get(languagesKey(centre))
  const article = route.page === 'article' ? services.articles.get(articleKey(centre, route.slug)) : undefined
  // An article with another slug has moved.
  if (languages === undefined || (route.page === 'article' && article?.slug !== route.slug)) return undefined
  const address = toAddress(centre, visit, parsed, languages, article, canonicalAt)
  if (!isFirstPage(address.route, address.query)) return undefined
  services.turns.note(centre.orgId)
  return services.pages.get(pageKey(centre, address))
}

export async function answerVisit(services: CentreRequestServices, visit: CentreVisit): Promise<CentrePage> {
  const centre = await findShownCentre(services, visit)
  if (centre === undefined) return answerNotice(services, visit, 'unknown', 404)
  if (centre === 'gone') return answerNotice(services, visit, 'gone', 410)
  visit.orgId = centre.orgId
  const parsed = parseAddress(visit.path)
  const { route } = parsed
  if (route.page === 'permalink') return answerPermalink(services, centre, visit, route.articleId, parsed.language)
  const languages = await listKnownLanguages(services, centre)
  const article = route.page === 'article' ? await findKnownArticle(services, centre, route.slug) : undefined
  if (route.page === 'article' && article !== undefined && article.slug !== route.slug) {
    // It had this slug earlier.
    const path = articlePath(placeOf(centre, visit), article.slug, parsed.language)
    return toRedirect(301, 'article', path + visit.search)
  }
  const canonicalAt = await services.addresses.findCanonical(centre, centrePath(centre.publicSlug))
  const address = toAddress(centre, visit, parsed, languages, article, canonicalAt)
  if (isFirstPage(address.route, address.query)) return cachePage(services, centre, address)
  await services.turns.wait(centre.orgId)
  return makePage(services, centre, address, 'once')
}

/** Undefined also if the host shows the content of somebody else. */
export async function findShownCentre(
  { centres, hosts }: Pick<CentreRequestServices, 'centres' | 'hosts'>,
  { host, publicSlug }: Pick<CentreVisit, 'host' | 'publicSlug'>,
): Promise<Centre | 'gone' | undefined> {
  const centre = await centres.find(publicSlug)
  return centre && hosts.showing(host, centre)
}

/** Where the visitor finds the help centre. */
export const placeOf = ({ publicSlug }: Centre, { shownAt }: { shownAt?: string | undefined }): string =>
  shownAt ?? centrePath(publicSlug)

/** The languages are those of the knowledge base. */
function toAddress(
  centre: Centre,
  visit: CentreVisit,
  { language: named, route }: ReturnType<typeof parseAddress>,
  languages: readonly ContentLanguage[],
  article: PublicArticle | undefined,
  canonicalAt: string,
): Address {
  const { acceptLanguage, encoding, query } = visit
  const pinned = named && findPinned(named, languages, article)
  const language = pinned ?? negotiate(acceptLanguage, languages, centre.language)
  const address: Address = {
    route,
    query: query === undefined ? NO_QUERY : parseQuery(query),
    language,
    interfaceLanguage: chooseInterface(language, acceptLanguage, centre.language),
    isPinned: pinned !== undefined,
    encoding,
    shown: undefined,
    place: { at: placeOf(centre, visit), canonicalAt },
  }
  if (route.page !== 'article') return address
  if (article === undefined) return { ...address, route: { page: 'missing' } }
  // Negotiated again per article: it may lack the interface language but have another that the reader accepts.
  const chosen = pinned ?? negotiate(acceptLanguage, article.languages, article.own.language)
  return { ...address, shown: { article, text: textIn(article, chosen) } }
}

/**
 * A language that the help centre lacks is replaced by the nearest, or by that of the visitor: everyone can write any tag into
 * an address, and each would be another page to cache.
 */
function findPinned(
  named: ContentLanguage,
  languages: readonly ContentLanguage[],
  article: PublicArticle | undefined,
): ContentLanguage | undefined {
  const known = [...languages, ...(article?.languages ?? []), ...LANGUAGES]
  return nearestOf(named, known)
}

/** That of the content, if there is an interface in it, or the one that the visitor reads best. */
const chooseInterface = (
  language: ContentLanguage,
  acceptLanguage: string | undefined,
  own: ContentLanguage,
): Language => interfaceLanguageFor(language) ?? negotiate(acceptLanguage, LANGUAGES, interfaceLanguageFor(own) ?? 'en')

/** Caches pages that exist, and one page for all addresses of a knowledge base at which there is nothing. */
function cachePage(services: CentreRequestServices, centre: Centre, address: Address): Promise<CentrePage> {
  const make = async () => {
    await services.turns.wait(centre.orgId)
    return makePage(services, centre, address, 'often')
  }
  const isMissing = address.route.page === 'missing'
  const mayKeep = ({ status, mayBeKept }: CentrePage) => mayBeKept && (status === 200 || isMissing)
  return services.pages.fetch(centre.orgId, pageKey(centre, address), make, mayKeep)
}

const languagesKey = ({ id, revision }: Centre): string => `${id} ${revision}`
const articleKey = ({ id, revision }: Centre, slug: string): string => `${id} ${revision} ${slug}`

function pageKey({ id, revision }: Centre, { encoding, isPinned, shown, route, place, ...address }: Address): string {
  const name = 'slug' in route ? route.slug : 'part' in route ? route.part : ''
  const where = `${place.at} ${place.canonicalAt}`
  const languages = `${address.language} ${address.interfaceLanguage} ${shown?.text.language}`
  return `${id} ${revision} ${where} ${encoding} ${isPinned} ${languages} ${route.page} ${name}`
}

async function makePage(
  services: CentreRequestServices,
  centre: Centre,
  address: Address,
  effort: 'once' | 'often',
): Promise<CentrePage> {
  const { route, query, language, interfaceLanguage, isPinned, encoding, shown, place } = address
  const languages = await listKnownLanguages(services, centre)
  const context = createPageContext(centre, place, languages, language, interfaceLanguage, isPinned)
  const theme = services.themes.get(centre.primaryColor)
  const toHtml = (view: CentreView) => ({ mediaType: HTML_TYPE, body: renderPage(context, theme, view) })
  const found = await findPage(services, context, route, query, shown)
  const rendered = {
    ...(found === undefined
      ? { status: 404, page: 'missing' as const, ...toHtml(missingView(context)) }
      : { status: 200, page: route.page, ...('view' in found ? toHtml(found.view) : found) }),
    language,
    isNegotiated: !isPinned || interfaceLanguageFor(language) === undefined,
    policy: theme.policy,
  }
  return toCentrePage(services.compression, rendered, { encoding, owner: centre.orgId, effort })
}

const listKnownLanguages = (services: CentreRequestServices, centre: Centre): Promise<ContentLanguage[]> =>
  services.languages.fetch(centre.orgId, languagesKey(centre), async () => {
    const indexed = await selectLanguages(services.database.read, centre.orgId)
    return listLanguages(services.database.read, centre, indexed)
  })

export const findKnownArticle = (
  services: CentreRequestServices,
  centre: Centre,
  slug: string,
): Promise<PublicArticle | undefined> =>
  services.articles.fetch(centre.orgId, articleKey(centre, slug), () =>
    findArticle(services.database.read, centre, slug),
  )

/** Returns the text in the nearest language that the article has, which is its own if it has none like this one. */
export function textIn({ texts, own, languages }: PublicArticle, language: string): ArticleText {
  const nearest = nearestOf(language, languages)
  return texts.find((text) => text.language === nearest) ?? own
}

/** Redirects to an article by its id, or to the home page while visitors may not read the article. */
async function answerPermalink(
  services: CentreRequestServices,
  centre: Centre,
  visit: CentreVisit,
  articleId: string,
  language: ContentLanguage | undefined,
): Promise<CentrePage> {
  const find = () => findPublicSlug(services.database.read, centre, articleId)
  const found = await services.slugs.fetch(centre.orgId, articleKey(centre, articleId), find)
  const at = placeOf(centre, visit)
  const path = found === undefined ? homePath(at, language) : articlePath(at, found.slug, language)
  return toRedirect(302, 'permalink', path + visit.search)
}

type NoticeSite = Pick<CentreRequestServices, 'themes' | 'pages' | 'compression' | 'centres' | 'hosts'>
type NoticeVisit = Pick<CentreVisit, 'host' | 'publicSlug' | 'path' | 'acceptLanguage' | 'encoding'>

/** Renders a notice instead of a page: the help centre is unknown, deleted or cannot be loaded. */
export async function answerNotice(
  services: NoticeSite,
  visit: NoticeVisit,
  kind: NoticeKind,
  status: number,
): Promise<CentrePage> {
  const { themes, pages, compression } = services
  const { path, acceptLanguage, encoding } = visit
  const { language: pinned } = parseAddress(path)
  const ofPath = pinned === undefined ? undefined : interfaceLanguageFor(pinned)
  const language = ofPath ?? negotiate(acceptLanguage, LANGUAGES, 'en')
  const centre =
    kind === 'unavailable' || kind === 'notCounted' ? await findKnownCentre(services, visit, status) : undefined
  const owner = centre?.orgId ?? SERVICE
  const make = () => {
    const theme = themes.get(centre?.primaryColor ?? null)
    const body = renderNotice(kind, language, theme, centre)
    const rendered = {
      status,
      page: kind,
      mediaType: HTML_TYPE,
      body,
      language,
      isNegotiated: true,
      policy: theme.policy,
    }
    return toCentrePage(compression, rendered, { encoding, owner, effort: 'often' })
  }
  const key = `${centre === undefined ? '' : languagesKey(centre)} ${kind} ${status} ${language} ${encoding}`
  return pages.fetch(owner, key, make, ({ mayBeKept }) => mayBeKept)
}

/** Finds the contact for a page that says what went wrong. That must not fail, nor wait for a database that is unavailable. */
async function findKnownCentre(services: NoticeSite, visit: NoticeVisit, status: number): Promise<Centre | undefined> {
  const known = services.centres.peek(visit.publicSlug)
  if (status === 503) return known && services.hosts.isKnownToShow(visit.host, known.orgId) ? known : undefined
  const found = await findShownCentre(services, visit).catch(() => undefined)
  return found === 'gone' ? undefined : found
}
