import { type ContentLanguage, LANGUAGES, type Language } from '../../../platform/contract/languages.ts'
import type { Encoding } from '../../../platform/http/caching/encoding.ts'
import { interfaceLanguageFor } from '../../../platform/text/interface-language.ts'
import { nearestOf, negotiate } from '../../../platform/text/negotiate-language.ts'
import {
  type ArticleText,
  type Centre,
  type CentreRoute,
  centrePath,
  type PublicArticle,
  type parseAddress,
} from '../public-articles/index.ts'
import type { CentreVisit } from './centre-visit.ts'
import type { PageContext } from './page-context.ts'
import type { ShownArticle } from './pages/view.ts'
import { NO_QUERY, type PageQuery, parseQuery } from './search/query.ts'

/** What a page depends on, besides its knowledge base. */
export interface PageAddress {
  route: CentreRoute
  query: PageQuery
  language: ContentLanguage
  interfaceLanguage: Language
  /** See `PageContext`. */
  missed: Language | undefined
  /** Whether the path names the language. */
  isPinned: boolean
  encoding: Encoding
  shown: ShownArticle | undefined
  /** See `PageContext`. */
  place: Pick<PageContext, 'at' | 'canonicalAt'>
}

/** Where the visitor finds the help centre. */
export const placeOf = ({ publicSlug }: Centre, { shownAt }: { shownAt?: string | undefined }): string =>
  shownAt ?? centrePath(publicSlug)

/** The languages are those of the knowledge base. */
export function toAddress(
  centre: Centre,
  visit: Pick<CentreVisit, 'shownAt' | 'acceptLanguage' | 'encoding' | 'query'>,
  { language: named, route }: ReturnType<typeof parseAddress>,
  languages: readonly ContentLanguage[],
  article: PublicArticle | undefined,
  canonicalAt: string,
): PageAddress {
  const { acceptLanguage, encoding, query } = visit
  const pinned = named && findPinned(named, languages, article)
  const language = pinned ?? negotiate(acceptLanguage, languages, centre.language)
  const address: PageAddress = {
    route,
    query: query === undefined ? NO_QUERY : parseQuery(query),
    language,
    interfaceLanguage: chooseInterface(language, acceptLanguage, centre.language),
    missed: pinned === undefined ? findMissed(acceptLanguage, languages, centre.language) : undefined,
    isPinned: pinned !== undefined,
    encoding,
    shown: undefined,
    place: { at: placeOf(centre, visit), canonicalAt },
  }
  if (route.page !== 'article' && route.page !== 'feedback') return address
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

/** A reader who has chosen a language knows that there are others. */
function findMissed(
  acceptLanguage: string | undefined,
  languages: readonly ContentLanguage[],
  own: ContentLanguage,
): Language | undefined {
  if (acceptLanguage === undefined) return undefined
  const best = negotiate(acceptLanguage, LANGUAGES, interfaceLanguageFor(own) ?? 'en')
  return languages.some((language) => interfaceLanguageFor(language) === best) ? undefined : best
}

/** Returns the text in the nearest language that the article has, which is its own if it has none like this one. */
export function textIn({ texts, own, languages }: PublicArticle, language: string): ArticleText {
  const nearest = nearestOf(language, languages)
  return texts.find((text) => text.language === nearest) ?? own
}

/** A change of a knowledge base changes its revision, and with it the keys of everything that is cached for it. */
export const languagesKey = ({ id, revision }: Centre): string => `${id} ${revision}`
export const articleKey = ({ id, revision }: Centre, slug: string): string => `${id} ${revision} ${slug}`

export function pageKey(
  { id, revision }: Centre,
  { encoding, isPinned, shown, route, place, ...address }: PageAddress,
): string {
  const name = 'slug' in route ? route.slug : 'part' in route ? route.part : ''
  const where = `${place.at} ${place.canonicalAt}`
  const languages = `${address.language} ${address.interfaceLanguage} ${address.missed} ${shown?.text.language}`
  return `${id} ${revision} ${where} ${encoding} ${isPinned} ${languages} ${route.page} ${name}`
}
