import type { ContentLanguage, Language } from '../../../platform/contract/languages.ts'
import { nameIn, type TranslatedName } from '../knowledge-bases/index.ts'
import { articlePath, type Centre, categoryPath, homePath, listPath } from '../public-articles/index.ts'
import { TEXTS, type Texts } from './texts.ts'

/** What every page needs to know about the visit and its help centre. */
export interface PageContext {
  centre: Centre
  /** The name and the description of the help centre, in `language` if possible. */
  about: TranslatedName
  /** The language that the visitor reads. Texts that are not available in it are shown in another. */
  language: ContentLanguage
  /** The languages of the help centre: its own first, the others by their tags. */
  languages: readonly ContentLanguage[]
  /** The language of the interface, and of the page as a whole. Another one if there is no interface in `language`. */
  interfaceLanguage: Language
  texts: Texts
  /** The language that the visitor reads best, if the help centre has nothing in it. */
  missed: Language | undefined
  /** The path of the help centre on the host of the visitor. */
  at: string
  /** Its URL for search engines, feeds and other sites. */
  canonicalAt: string
  /** Paths of other pages. They keep the language if the current address names one. */
  to: {
    home: string
    search: string
    articles: string
    categories: string
    feed: string
    article(slug: string): string
    category(slug: string): string
  }
}

interface VisitedPlace extends Pick<PageContext, 'language' | 'interfaceLanguage' | 'missed'> {
  /** Whether the address names the language. */
  isPinned: boolean
  place: Pick<PageContext, 'at' | 'canonicalAt'>
}

export function createPageContext(
  centre: Centre,
  languages: readonly ContentLanguage[],
  { language, interfaceLanguage, missed, isPinned, place: { at, canonicalAt } }: VisitedPlace,
): PageContext {
  const pinned = isPinned ? language : undefined
  return {
    centre,
    about: nameIn(centre, centre.language, language),
    language,
    languages,
    interfaceLanguage,
    texts: TEXTS[interfaceLanguage],
    missed,
    at,
    canonicalAt,
    to: {
      home: homePath(at, pinned),
      search: listPath(at, 'search', pinned),
      articles: listPath(at, 'articles', pinned),
      categories: listPath(at, 'categories', pinned),
      feed: `${isPinned ? `${at}/${language}` : at}/feed.atom`,
      article: (slug) => articlePath(at, slug, pinned),
      category: (slug) => categoryPath(at, slug, pinned),
    },
  }
}

/** The language of the canonical address. A translated interface without translated content is a duplicate page. */
export const canonicalLanguage = ({ centre, language, languages }: PageContext): ContentLanguage =>
  languages.includes(language) ? language : centre.language
