import { posix } from 'node:path'
import type { FileHead } from './file-heads.ts'
import { foldersOf, type NamedFile } from './lenient-names.ts'

const SORTING = /(^|\/)\d{1,3}[-_. ]+(?=\p{L})/gu
const INDEX = /(^|\/)(?:_?index|readme)$/i
const EXTENSION = /\.(?:mdx?|markdown|html?)$/i

/** How a path is compared: without extension, numbers that only sort, and names that stand for a folder. */
const toKey = (path: string): string =>
  path
    .replace(/[?#].*$/s, '')
    .replace(EXTENSION, '')
    .replace(/^(?:\.?\/)+|\/+$/g, '')
    .replace(SORTING, '$1')
    .replace(INDEX, '')
    .toLowerCase()

/** Knows under which names a documentation refers to its files: in its menu, and in addresses on its site. */
export class FileAddresses {
  /** Files by their addresses in the old documentation. */
  readonly aliases = new Map<string, string>()
  readonly #files = new Map<string, string>()
  readonly #folders: readonly string[]

  constructor(files: readonly NamedFile[], heads: ReadonlyMap<string, FileHead>, folders: readonly string[]) {
    this.#folders = folders
    for (const { path } of files) this.#add(this.#files, path, path)
    for (const { path } of files) {
      const head = heads.get(path)
      const folder = foldersOf(path).join('/')
      if (head?.id !== undefined) this.#add(this.#files, posix.join(folder, head.id), path)
      this.#add(this.aliases, path, path)
      for (const address of head?.addresses ?? []) {
        this.#add(this.aliases, address.startsWith('/') ? address : posix.join(folder, address), path)
      }
    }
  }

  /** The file that an entry of a menu names. */
  find(target: string): string | undefined {
    if (/^[a-z][a-z0-9+.-]*:/i.test(target)) return undefined
    return this.#folders
      .map((folder) => this.#files.get(toKey(posix.join(folder, target))))
      .find((path) => path !== undefined)
  }

  /** The first file wins. */
  #add(map: Map<string, string>, address: string, path: string): void {
    const key = toKey(address)
    if (!map.has(key)) map.set(key, path)
  }
}

/** The key of an address in `aliases`. */
export const aliasOf = toKey
