import { slugify } from '../../../../platform/text/slugify.ts'

/** Matches the name of a file that describes its folder. */
const INDEX = /^(?:_?index|readme)$/i
/** Numbers that only sort files: `01-install.md`. */
const SORTING = /^\d{1,3}[-_. ]+(?=\p{L})/u

export interface NamedFile {
  path: string
  /** Has neither the extension nor the language. */
  name: string
}

/** The slugs that a file may get, the shortest first: its name, then with the names of its folders, then of the base. */
export function slugCandidates({ path, name }: NamedFile, base: string): string[] {
  const folders = foldersOf(path)
  const parts = INDEX.test(name) && folders.length > 0 ? folders : [...folders, name]
  const own = slugify(parts.at(-1) ?? name, 'article')
  const longer = parts.map((_, index) => slugify(parts.slice(index).join(' '), 'article')).reverse()
  const whole = longer.at(-1) ?? own
  const candidates = [own, ...longer, slugify(`${base} ${whole}`, 'article')]
  const numbered = Array.from({ length: 98 }, (_, n) => `${candidates.at(-1)}-${n + 2}`)
  return [...new Set([...candidates, ...numbered])]
}

export const foldersOf = (path: string): string[] => path.split('/').slice(0, -1)

/** `01-getting_started` → `Getting started`. */
export function toTitle(name: string): string {
  const words = name.replace(SORTING, '').replace(/[-_]+/g, ' ').trim() || name
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

/** A file that describes its folder is named after the folder. */
export const titleOf = ({ path, name }: NamedFile): string =>
  toTitle(INDEX.test(name) ? (foldersOf(path).at(-1) ?? name) : name)
