import {
  articlePath,
  type Centre,
  categoryPath,
  homePath,
  searchPath,
} from '../../modules/knowledge/help-centre/index.ts'
import type { Language } from '../../platform/contract/languages.ts'
import { TEXTS, type Texts } from './texts/index.ts'

/** What every page needs to know about the visit and its help centre. */
export interface PageContext {
  centre: Centre
  /** The language of the interface, and of articles that are available in it. */
  language: Language
  /** The languages that the help centre is available in. */
  languages: readonly Language[]
  texts: Texts
  publicUrl: string
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

export function createPageContext(
  centre: Centre,
  publicUrl: string,
  languages: readonly Language[],
  language: Language,
  isPinned: boolean,
): PageContext {
  const { publicSlug } = centre
  const pinned = isPinned ? language : undefined
  const home = homePath(publicSlug, pinned)
  return {
    centre,
    language,
    languages,
    texts: TEXTS[language],
    publicUrl,
    to: {
      home,
      search: searchPath(publicSlug, pinned),
      articles: `${home}/articles`,
      categories: `${home}/categories`,
      feed: `${home}/feed.atom`,
      article: (slug) => articlePath(publicSlug, slug, pinned),
      category: (slug) => categoryPath(publicSlug, slug, pinned),
    },
  }
}

/** The language of the canonical address. A translated interface without translated content is a duplicate page. */
export const canonicalLanguage = ({ centre, language, languages }: PageContext): Language =>
  languages.includes(language) ? language : centre.language
