import { slugify } from '../../../platform/text/slugify.ts'
import { isSlug } from './address.ts'

interface ArticleLink {
  slug: string
  /** Begins with `#`, or is empty. */
  fragment: string
}

const ARTICLE_FILE = /\.(?:md|mdx|markdown|html?)$/i
const SCHEME = /^[a-z][a-z0-9+.-]*:/i

/**
 * Reads a relative link to an article: `other.md#part`, `../folder/other.md`, `other` or `other#part`. Returns undefined
 * for all other links. Only the last part of a path counts, because a slug is unique in its organisation.
 */
export function parseArticleLink(href: string): ArticleLink | undefined {
  if (href === '' || /^[/\\#?]/.test(href) || SCHEME.test(href)) return undefined
  const [, path = '', fragment = ''] = /^([^?#]*)(?:\?[^#]*)?(#.*)?$/s.exec(href) ?? []
  const name = decoded(path)
    .split('/')
    .findLast((part) => part !== '' && part !== '.' && part !== '..')
  if (name === undefined || (name.includes('.') && !ARTICLE_FILE.test(name))) return undefined
  const bare = name.replace(ARTICLE_FILE, '')
  const slug = isSlug(bare) ? bare : slugify(bare, '')
  return slug === '' ? undefined : { slug, fragment: decoded(fragment) }
}

/** Leaves broken percent-encoding as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
