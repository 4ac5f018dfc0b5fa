/**
 * Where visitors find what a knowledge base has. Without a language the visitor's browser says which one it is in; with
 * one, it is in that language for everybody: those are the addresses to pass on.
 */
export const homePath = (publicSlug: string, language?: string): string =>
  `/kb/${publicSlug}${language === undefined ? '' : `/${language}`}`

export const articlePath = (publicSlug: string, slug: string, language?: string): string =>
  `${homePath(publicSlug, language)}/articles/${slug}`

export const categoryPath = (publicSlug: string, slug: string, language?: string): string =>
  `${homePath(publicSlug, language)}/categories/${slug}`

export const searchPath = (publicSlug: string, language?: string): string => `${homePath(publicSlug, language)}/search`

/** Anything else is no slug of an article or a category, and need not be looked up. */
export const isSlug = (text: string): boolean => /^[a-z0-9-]{1,200}$/.test(text)
