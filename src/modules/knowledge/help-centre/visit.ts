import type { ContentLanguage } from '../../../platform/contract/languages.ts'
import { HTML_TYPE } from '../../../platform/pages/index.ts'
import { interfaceLanguageFor } from '../../../platform/text/interface-language.ts'
import { selectLanguages } from '../article-search/index.ts'
import {
  articlePath,
  type Centre,
  centrePath,
  findArticle,
  findPublicSlug,
  homePath,
  listLanguages,
  type PublicArticle,
  parseAddress,
} from '../public-articles/index.ts'
import { answerNotice } from './answer-notice.ts'
import { type CentrePage, toCentrePage, toRedirect } from './centre-page.ts'
import type { CentreRequestServices, CentreVisit } from './centre-visit.ts'
import { findShownCentre } from './centres.ts'
import { findPage } from './find-page.ts'
import { articleKey, languagesKey, type PageAddress, pageKey, placeOf, toAddress } from './page-address.ts'
import { createPageContext } from './page-context.ts'
import { renderPage } from './pages/layout.ts'
import { missingView } from './pages/notices.ts'
import type { CentreView } from './pages/view.ts'
import { policyOf } from './policy.ts'
import { isFirstPage } from './search/query.ts'

/** Answers from memory alone, in some microseconds. Returns undefined if something has to be loaded or made. */
export function findKnownPage(services: CentreRequestServices, visit: CentreVisit): CentrePage | undefined {
  const centre = services.centres.peek(visit.publicSlug)
  const page = centre && pageInMemory(services, visit, centre)
  if (centre !== undefined && page !== undefined) services.turns.note(centre.orgId)
  return page
}

/** Whether the page was in memory when its help centre was read last. If so, one small read tells whether it still is. */
export function wasPageKnown(services: CentreRequestServices, visit: CentreVisit): boolean {
  const centre = services.centres.peekLast(visit.publicSlug)
  return centre !== undefined && pageInMemory(services, visit, centre)?.status === 200
}

function pageInMemory(services: CentreRequestServices, visit: CentreVisit, centre: Centre): CentrePage | undefined {
  if (!services.hosts.isKnownToShow(visit.host, centre.orgId)) return undefined
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
  return services.pages.get(pageKey(centre, address))
}

/** `not_found` is for a domain that sends visitors on. */
export async function answerVisit(
  services: CentreRequestServices,
  visit: CentreVisit,
): Promise<CentrePage | 'not_found'> {
  const centre = await findShownCentre(services, visit)
  if (centre === undefined && (await services.hosts.sendsOn(visit))) return 'not_found'
  if (centre === undefined) return answerNotice(services, visit, 'unknown', 404)
  if (centre === 'gone') return answerNotice(services, visit, 'gone', 410)
  visit.orgId = centre.orgId
  const parsed = parseAddress(visit.path)
  const { route } = parsed
  if (route.page === 'permalink') return answerPermalink(services, centre, visit, route.articleId, parsed.language)
  const languages = await listKnownLanguages(services, centre)
  const isOfArticle = route.page === 'article' || route.page === 'feedback'
  const article = isOfArticle ? await findKnownArticle(services, centre, route.slug) : undefined
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

/** Caches pages that exist, and one page for all addresses of a knowledge base at which there is nothing. */
function cachePage(services: CentreRequestServices, centre: Centre, address: PageAddress): Promise<CentrePage> {
  const make = async () => {
    await services.turns.wait(centre.orgId)
    return makePage(services, centre, address, 'often')
  }
  const isMissing = address.route.page === 'missing'
  const mayKeep = ({ status, mayBeKept }: CentrePage) => mayBeKept && (status === 200 || isMissing)
  return services.pages.fetch(centre.orgId, pageKey(centre, address), make, mayKeep)
}

async function makePage(
  services: CentreRequestServices,
  centre: Centre,
  address: PageAddress,
  effort: 'once' | 'often',
): Promise<CentrePage> {
  const { route, query, language, isPinned, encoding, shown } = address
  const languages = await listKnownLanguages(services, centre)
  const context = createPageContext(centre, languages, address)
  const theme = services.themes.get(centre.brand)
  const toHtml = (view: CentreView) => ({ mediaType: HTML_TYPE, body: renderPage(context, theme, view) })
  const found = await findPage(services, context, route, query, shown)
  const rendered = {
    ...(found === undefined
      ? { status: 404, page: 'missing' as const, ...toHtml(missingView(context)) }
      : { status: 200, page: route.page, ...('view' in found ? toHtml(found.view) : found) }),
    language,
    isNegotiated: !isPinned || interfaceLanguageFor(language) === undefined,
    policy: policyOf(theme),
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
