/**
 * Public paths of a knowledge base. Without a language, a page is shown in that of the visitor's browser. With one, it
 * is the same for everyone: use these paths for links.
 */
export const homePath = (publicSlug: string, language?: string): string =>
  `/kb/${publicSlug}${language === undefined ? '' : `/${language}`}`

export const articlePath = (publicSlug: string, slug: string, language?: string): string =>
  `${homePath(publicSlug, language)}/articles/${slug}`

export const categoryPath = (publicSlug: string, slug: string, language?: string): string =>
  `${homePath(publicSlug, language)}/categories/${slug}`

export const searchPath = (publicSlug: string, language?: string): string => `${homePath(publicSlug, language)}/search`

/** Saves a look-up for text that cannot be the slug of an article or a category. */
export const isSlug = (text: string): boolean => /^[a-z0-9-]{1,200}$/.test(text)
