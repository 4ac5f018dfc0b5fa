import { posix } from 'node:path'
import { parseArticleLink } from '../../public-articles/index.ts'
import { aliasOf } from '../format/file-addresses.ts'

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
  /** A page of the old site that is not in the folder. */
  | { kind: 'old' }
  | { kind: 'other' }

/** Knows the articles of a folder by the paths of their files. */
export class FolderLinks {
  /** Slugs by path without extension. */
  readonly #slugs = new Map<string, string>()
  /** Files by their addresses in the old documentation. */
  readonly #aliases: ReadonlyMap<string, string>
  readonly #oldSite: URL | undefined

  constructor(aliases: ReadonlyMap<string, string>, oldSite: URL | undefined) {
    this.#aliases = aliases
    this.#oldSite = oldSite
  }

  add(path: string, slug: string): void {
    this.#slugs.set(path.replace(EXTENSION, ''), slug)
  }

  /** Resolves what is written in the file at `from`. */
  resolve(from: string, written: string): Reference {
    const local = this.#withoutOldSite(written)
    if (local !== undefined) return this.#resolveOnOldSite(local)
    if (written === '' || /^[#?{]/.test(written) || SCHEME.test(written)) return { kind: 'other' }
    const [, path = '', fragment = ''] = /^([^?#]*)(?:\?[^#]*)?(#.*)?$/s.exec(written) ?? []
    const paths = candidates(from, path)
    const slug = paths.map((candidate) => this.#find(candidate)).find((found) => found !== undefined)
    if (slug !== undefined) return { kind: 'article', slug, fragment }
    const link = parseArticleLink(written)
    if (link !== undefined) return { kind: 'article', ...link, fragment }
    // A path from the root of a site need not be in the folder, unless a file is there.
    const files = paths.filter((each) => each !== '')
    return files.length === 0 ? { kind: 'other' } : { kind: 'file', paths: files }
  }

  #find(path: string): string | undefined {
    const bare = path.replace(EXTENSION, '').replace(/\.html?$/i, '')
    return [bare, ...INDEXES.map((index) => posix.join(bare, index))]
      .map((candidate) => this.#slugs.get(candidate))
      .concat(this.#slugOfAlias(path))
      .find((slug) => slug !== undefined)
  }

  #slugOfAlias(path: string): string | undefined {
    // Help centres find an article by its number, whatever follows it.
    const [, id] = /(?:^|\/)articles\/(\d+)(?=$|[-/])/.exec(path) ?? []
    const file =
      this.#aliases.get(aliasOf(path)) ?? (id === undefined ? undefined : this.#aliases.get(`articles/${id}`))
    return file === undefined ? undefined : this.#slugs.get(file.replace(EXTENSION, ''))
  }

  /** The path and the fragment of an absolute address of the old site. */
  #withoutOldSite(written: string): string | undefined {
    const old = this.#oldSite
    if (old === undefined || !/^(?:https?:)?\/\//i.test(written)) return undefined
    const url = URL.parse(written, old)
    const bare = (host: string) => host.replace(/^www\./, '')
    const root = old.pathname.replace(/\/$/, '')
    if (url === null || bare(url.host) !== bare(old.host) || !`${url.pathname}/`.startsWith(`${root}/`))
      return undefined
    return decoded(url.pathname.slice(root.length)) + url.hash
  }

  #resolveOnOldSite(local: string): Reference {
    const [, path = '', fragment = ''] = /^([^#]*)(#.*)?$/s.exec(local) ?? []
    const paths = candidates('', path || '/')
    const slug = paths.map((each) => this.#find(each)).find((found) => found !== undefined)
    if (slug !== undefined) return { kind: 'article', slug, fragment }
    return /\.(?!html?$)[a-z0-9]{2,4}$/i.test(path) ? { kind: 'file', paths } : { kind: 'old' }
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
  // An empty path is that of the whole folder, which may have a text of its own.
  return [...new Set(inside.map((each) => (each === '.' ? '' : each)))]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
