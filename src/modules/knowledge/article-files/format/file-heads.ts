import { slugify } from '../../../../platform/text/slugify.ts'
import { readText } from './folder.ts'
import { splitFrontMatter } from './front-matter.ts'
import type { NamedFile } from './lenient-names.ts'
import { readKeys } from './loose-yaml.ts'

/** What a tool says about a folder, in `_category_.json`. */
export interface FolderLabel {
  name?: string
  position?: number
}

/** What the front matter of a file says about its address in the old documentation. */
export interface FileHead {
  /** The name that Docusaurus uses in place of that of the file. */
  id: string | undefined
  /** Paths of the article, from the root of the site or relative to its folder. */
  addresses: string[]
  /** Slugs that the article should get, if they are free. */
  slugs: string[]
}

/** `_category_.json` of Docusaurus describes its folder. */
export const LABEL_FILE = /^_category_\.(?:json|ya?ml)$/

const ADDRESS_KEYS = ['slug', 'permalink', 'url', 'aliases', 'redirect_from', 'redirects']

export async function readHeads(dir: string, files: readonly NamedFile[]): Promise<Map<string, FileHead>> {
  const heads = new Map<string, FileHead>()
  for (const { path } of files) {
    // Problems are reported when the file is checked.
    const parts = splitFrontMatter((await readText(dir, path, () => {})) ?? '')
    if (parts === undefined) continue
    const { keys } = readKeys(parts.yaml)
    const values = ADDRESS_KEYS.flatMap((key) => keys.get(key)).filter((value) => typeof value === 'string')
    const slug = keys.get('slug')
    const last = typeof slug === 'string' ? slugify(slug.split('/').findLast((part) => part !== '') ?? '', '') : ''
    const id = keys.get('id')
    heads.set(path, {
      id: typeof id === 'string' ? id : undefined,
      addresses: values.map((value) => value.replace(/^https?:\/\/[^/]+/, '')),
      slugs: last === '' ? [] : [last],
    })
  }
  return heads
}

export async function readLabel(dir: string, path: string): Promise<FolderLabel> {
  const { keys } = readKeys((await readText(dir, path, () => {})) ?? '')
  const [label, position] = [keys.get('label'), Number(keys.get('position') ?? Number.NaN)]
  return {
    ...(typeof label === 'string' && label.trim() !== '' && { name: label.trim() }),
    ...(Number.isInteger(position) && position >= 0 && { position }),
  }
}
