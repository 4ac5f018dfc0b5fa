import type { PublicAddresses } from '../../modules/domains/custom-domain-routes/index.ts'
import type { PublicHosts } from '../../modules/domains/custom-domains/index.ts'
import {
  type Article,
  type ArticleText,
  type Centre,
  centrePath,
  findArticle,
  listLanguages,
} from '../../modules/knowledge/help-centre/index.ts'
import type { LoopTurns, SharedCache } from '../../platform/bounded/index.ts'
import { LANGUAGES, type Language } from '../../platform/contract/languages.ts'
import { type Compression, SERVICE } from '../../platform/http/compression.ts'
import type { Encoding } from '../../platform/http/encoding.ts'
import { negotiate } from '../../platform/text/negotiate-language.ts'
import type { Centres } from './centres.ts'
import { findPage, type PageSources } from './find-page.ts'
import { createPageContext, type PageContext } from './page-context.ts'
import type { Shown } from './pages/article.ts'
import { renderPage, type View } from './pages/layout.ts'
import { missingView, type NoticeKind, renderNotice } from './pages/notices.ts'
import { isFirstPage, NO_QUERY, type PageQuery, parseQuery } from './query.ts'
import { parseAddress, type Route } from './route.ts'
import { type Answer, type StoredPage, toStoredPage } from './stored-page.ts'
import type { Themes } from './theme.ts'

/** The dependencies shared by all visits. */
export interface Site extends PageSources {
  turns: LoopTurns
  hosts: PublicHosts
  addresses: PublicAddresses
  themes: Themes
  compression: Compression
  centres: Centres
  pages: SharedCache<StoredPage>
  /** What decides about the language of a page, by the revision of its knowledge base. */
  languages: SharedCache<Language[]>
  articles: SharedCache<Article>
}

export interface Visit {
  host: string
  publicSlug: string
  /** Where a route shows the help centre. Undefined if the visitor came to its own address. */
  shownAt: string | undefined
  /** Relative to the address of the knowledge base. */
  path: string
  /** Undefined if the address has none. */
  query: Record<string, unknown> | undefined
  acceptLanguage: string | undefined
  encoding: Encoding
}

/** What a page depends on, besides its knowledge base. */
interface Address {
  route: Route
  query: PageQuery
  language: Language
  /** Whether the path names the language. */
  isPinned: boolean
  encoding: Encoding
  shown: Shown | undefined
  /** See `PageContext`. */
  place: Pick<PageContext, 'at' | 'canonicalAt'>
}

const HTML = 'text/html; charset=utf-8'

/**
 * Answers from memory alone, in some microseconds. Returns undefined if something has to be loaded or made. A change of a
 * knowledge base changes its revision, and with it the keys of everything that is cached for it.
 */
export function findKnownPage(site: Site, visit: Visit): StoredPage | undefined {
  const centre = site.centres.peek(visit.publicSlug)
  if (centre === undefined || !site.hosts.isKnownToShow(visit.host, centre.orgId)) return undefined
  const canonicalAt = site.addresses.peekCanonical(centre, centrePath(centre.publicSlug))
  if (canonicalAt === undefined) return undefined
  const parsed = parseAddress(visit.path)
  const { language, route } = parsed
  const languages = language === undefined ? site.languages.get(languagesKey(centre)) : []
  const article = route.page === 'article' ? site.articles.get(articleKey(centre, route.slug)) : undefined
  if (languages === undefined || (route.page === 'article' && article === undefined)) return undefined
  const address = toAddress(centre, visit, parsed, languages, article, canonicalAt)
  if (!isFirstPage(address.route, address.query)) return undefined
  site.turns.note(centre.orgId)
  return site.pages.get(pageKey(centre, address))
}

export async function answerVisit(site: Site, visit: Visit): Promise<StoredPage> {
  const centre = await findShownCentre(site, visit)
  if (centre === undefined) return answerNotice(site, visit, 'unknown', 404)
  if (centre === 'gone') return answerNotice(site, visit, 'gone', 410)
  const parsed = parseAddress(visit.path)
  const { language, route } = parsed
  const languages = language === undefined ? await listKnownLanguages(site, centre) : []
  const article = route.page === 'article' ? await findKnownArticle(site, centre, route.slug) : undefined
  const canonicalAt = await site.addresses.findCanonical(centre, centrePath(centre.publicSlug))
  const address = toAddress(centre, visit, parsed, languages, article, canonicalAt)
  if (isFirstPage(address.route, address.query)) return cachePage(site, centre, address)
  await site.turns.wait(centre.orgId)
  return makePage(site, centre, address, 'once')
}

/** Undefined also if the host shows the content of somebody else. */
export async function findShownCentre(
  { centres, hosts }: Pick<Site, 'centres' | 'hosts'>,
  { host, publicSlug }: Pick<Visit, 'host' | 'publicSlug'>,
): Promise<Centre | 'gone' | undefined> {
  const centre = await centres.find(publicSlug)
  return centre && hosts.showing(host, centre)
}

/** Where the visitor finds the help centre. */
export const placeOf = ({ publicSlug }: Centre, { shownAt }: { shownAt?: string | undefined }): string =>
  shownAt ?? centrePath(publicSlug)

/** The languages are those of the knowledge base. They decide if the path names none. */
function toAddress(
  centre: Centre,
  visit: Visit,
  { language: pinned, route }: ReturnType<typeof parseAddress>,
  languages: readonly Language[],
  article: Article | undefined,
  canonicalAt: string,
): Address {
  const { acceptLanguage, encoding, query } = visit
  const address: Address = {
    route,
    query: query === undefined ? NO_QUERY : parseQuery(query),
    language: pinned ?? negotiate(acceptLanguage, languages, centre.language),
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

/** Caches pages that exist, and one page for all addresses of a knowledge base at which there is nothing. */
function cachePage(site: Site, centre: Centre, address: Address): Promise<StoredPage> {
  const make = async () => {
    await site.turns.wait(centre.orgId)
    return makePage(site, centre, address, 'often')
  }
  const isMissing = address.route.page === 'missing'
  const mayKeep = ({ status, mayBeKept }: StoredPage) => mayBeKept && (status === 200 || isMissing)
  return site.pages.fetch(centre.orgId, pageKey(centre, address), make, mayKeep)
}

const languagesKey = ({ id, revision }: Centre): string => `${id} ${revision}`
const articleKey = ({ id, revision }: Centre, slug: string): string => `${id} ${revision} ${slug}`

function pageKey({ id, revision }: Centre, { encoding, isPinned, language, shown, route, place }: Address): string {
  const name = 'slug' in route ? route.slug : 'part' in route ? route.part : ''
  const where = `${place.at} ${place.canonicalAt}`
  return `${id} ${revision} ${where} ${encoding} ${isPinned} ${language} ${shown?.text.language} ${route.page} ${name}`
}

async function makePage(site: Site, centre: Centre, address: Address, effort: 'once' | 'often'): Promise<StoredPage> {
  const { route, query, language, isPinned, encoding, shown, place } = address
  // The page of an article shows the languages of the article.
  const languages = isPinned && shown !== undefined ? [language] : await listKnownLanguages(site, centre)
  const context = createPageContext(centre, place, languages, language, isPinned)
  const theme = site.themes.get(centre.primaryColor)
  const toHtml = (view: View) => ({ mediaType: HTML, body: renderPage(context, theme, view) })
  const found = await findPage(site, context, route, query, shown)
  const answer: Answer = {
    ...(found === undefined
      ? { status: 404, page: 'missing', ...toHtml(missingView(context)) }
      : { status: 200, page: route.page, ...('view' in found ? toHtml(found.view) : found) }),
    language,
    isNegotiated: !isPinned,
    policy: theme.policy,
  }
  return toStoredPage(site.compression, answer, encoding, centre.orgId, effort)
}

const listKnownLanguages = (site: Site, centre: Centre): Promise<Language[]> =>
  site.languages.fetch(centre.orgId, languagesKey(centre), () => listLanguages(site.database.read, centre))

export const findKnownArticle = (site: Site, centre: Centre, slug: string): Promise<Article | undefined> =>
  site.articles.fetch(centre.orgId, articleKey(centre, slug), () => findArticle(site.database.read, centre, slug))

/** In the article's own language if it is not available in this one. */
export const textIn = ({ texts, own }: Article, language: string): ArticleText =>
  texts.find((text) => text.language === language) ?? own

/** Renders a notice outside any help centre: it is unknown, deleted or cannot be loaded. */
export function answerNotice(
  { themes, pages, compression }: Pick<Site, 'themes' | 'pages' | 'compression'>,
  { path, acceptLanguage, encoding }: Pick<Visit, 'path' | 'acceptLanguage' | 'encoding'>,
  kind: NoticeKind,
  status: number,
): Promise<StoredPage> {
  const { language: pinned } = parseAddress(path)
  const language = pinned ?? negotiate(acceptLanguage, LANGUAGES, 'en')
  const make = () => {
    const theme = themes.get(null)
    const body = renderNotice(kind, language, theme)
    const answer = { status, page: kind, mediaType: HTML, body, language, isNegotiated: true, policy: theme.policy }
    return toStoredPage(compression, answer, encoding, SERVICE, 'often')
  }
  return pages.fetch(SERVICE, `${kind} ${status} ${language} ${encoding}`, make, ({ mayBeKept }) => mayBeKept)
}
