import {
  articlePath,
  type Centre,
  categoryPath,
  homePath,
  searchPath,
} from '../../modules/knowledge/help-centre/index.ts'
import type { Language } from '../../modules/knowledge/languages/index.ts'
import { TEXTS, type Texts } from './texts/index.ts'

/** Somebody reads in a help centre: what every page needs to know of it. */
export interface Reading {
  centre: Centre
  /** Of the interface, and of the articles that have it. */
  language: Language
  /** All that it can be read in. */
  languages: readonly Language[]
  texts: Texts
  publicUrl: string
  /** Where things are. Whoever came by an address with a language stays in it. */
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

export function startReading(
  centre: Centre,
  publicUrl: string,
  languages: readonly Language[],
  language: Language,
  isPinned: boolean,
): Reading {
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

/** The language whose address search engines should know a list by: an interface alone makes no page of its own. */
export const canonicalLanguage = ({ centre, language, languages }: Reading): Language =>
  languages.includes(language) ? language : centre.language
