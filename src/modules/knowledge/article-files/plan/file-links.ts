import { posix } from 'node:path'
import { parseArticleLink } from '../../public-articles/index.ts'

/** The name of an article file without its extension, and without the language of a translation. */
const EXTENSION = /(?:\.[a-z]{2,3}(?:-[A-Za-z0-9]{1,8})*)?\.(?:md|mdx|markdown)$/i
const SCHEME = /^(?:[a-z][a-z0-9+.-]*:|\/\/|\\)/i
const INDEXES = ['index', '_index', 'README', 'readme']

/** What a destination in a file refers to. */
type Reference =
  | { kind: 'article'; slug: string; fragment: string }
  /** A path in the folder that may be a file. */
  | { kind: 'file'; paths: string[] }
  /** Another site, a place in the same text, or an address that the folder cannot know. */
  | { kind: 'other' }

/** Knows the articles of a folder by the paths of their files. */
export class FolderLinks {
  /** Slugs by path without extension. */
  readonly #slugs = new Map<string, string>()

  add(path: string, slug: string): void {
    this.#slugs.set(path.replace(EXTENSION, ''), slug)
  }

  /** Resolves what is written in the file at `from`. */
  resolve(from: string, written: string): Reference {
    if (written === '' || /^[#?{]/.test(written) || SCHEME.test(written)) return { kind: 'other' }
    const [, path = '', fragment = ''] = /^([^?#]*)(?:\?[^#]*)?(#.*)?$/s.exec(written) ?? []
    const paths = candidates(from, path)
    const slug = paths.map((candidate) => this.#find(candidate)).find((found) => found !== undefined)
    if (slug !== undefined) return { kind: 'article', slug, fragment }
    const link = parseArticleLink(written)
    if (link !== undefined) return { kind: 'article', ...link, fragment }
    // A path from the root of a site need not be in the folder, unless a file is there.
    return paths.length === 0 ? { kind: 'other' } : { kind: 'file', paths }
  }

  #find(path: string): string | undefined {
    const bare = path.replace(EXTENSION, '').replace(/\.html?$/i, '')
    return [bare, ...INDEXES.map((index) => posix.join(bare, index))]
      .map((candidate) => this.#slugs.get(candidate))
      .find((slug) => slug !== undefined)
  }
}

/**
 * The paths in the folder that a path may mean. Some tools resolve it from the page's address, which is a folder of its own;
 * and a path from the root of the site begins above our folder, or in one for files.
 */
function candidates(from: string, path: string): string[] {
  const folder = posix.dirname(from)
  const [, first = ''] = /^\/([^/]*)\//.exec(path) ?? []
  const all = path.startsWith('/')
    ? [path.slice(1), path.slice(first.length + 2), `static${path}`, `public${path}`]
    : [
        posix.join(folder, path),
        posix.join(folder, from.replace(EXTENSION, '').slice(folder === '.' ? 0 : folder.length + 1), path),
        path,
      ]
  const inside = all.map((each) => posix.normalize(each).replace(/\/$/, '')).filter((each) => !each.startsWith('..'))
  return [...new Set(inside)].filter((each) => each !== '' && each !== '.')
}
