/** Where a knowledge base is on every host that shows it. A route of a custom domain can show it elsewhere, too. */
export const centrePath = (publicSlug: string): string => `/kb/${publicSlug}`

/**
 * Public paths of a knowledge base that is `at` a path or URL, which is empty at the root of a host. Without a language, a
 * page is shown in that of the visitor's browser. With one, it is the same for everyone: use these paths for links.
 */
export const homePath = (at: string, language?: string): string => within(at, language) || '/'

export const listPath = (at: string, list: 'articles' | 'categories' | 'search', language?: string): string =>
  `${within(at, language)}/${list}`

export const articlePath = (at: string, slug: string, language?: string): string =>
  `${listPath(at, 'articles', language)}/${slug}`

export const categoryPath = (at: string, slug: string, language?: string): string =>
  `${listPath(at, 'categories', language)}/${slug}`

const within = (at: string, language: string | undefined): string => (language === undefined ? at : `${at}/${language}`)

/** Saves a look-up for text that cannot be the slug of an article or a category. */
export const isSlug = (text: string): boolean => /^[a-z0-9-]{1,200}$/.test(text)
