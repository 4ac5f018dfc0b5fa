import { slugify } from '../../../../platform/text/slugify.ts'
import type { Base } from '../stored-articles.ts'
import { CATEGORIES_FILE } from './category-file.ts'
import { type HelpCentreExport, toMenuItems } from './exports/export.ts'
import { readExports } from './exports/read-exports.ts'
import { type FileHead, type FolderLabel, LABEL_FILE, readHeads, readLabel } from './file-heads.ts'
import { languageOf, walk } from './folder.ts'
import { foldersOf, type NamedFile, titleOf } from './lenient-names.ts'
import { findMenu, isOrderFile } from './navigation/menu.ts'
import type { MenuItem } from './navigation/readers.ts'
import type { Problems } from './problems.ts'
import { findTool, type Tool } from './tool.ts'

/** A text that is no file of its own, but part of an export. */
export interface ForeignText {
  html: string
  language: string | undefined
  status: 'draft' | undefined
  visibility: 'internal' | undefined
  tags: readonly string[]
}

export interface FoundFile extends NamedFile {
  language: ReturnType<typeof languageOf>
  /** The same for all languages of an article. */
  key: string
  title: string
  text?: ForeignText
}

/** What a folder of any documentation contains. */
export interface LenientSources {
  categories: string | undefined
  files: FoundFile[]
  heads: Map<string, FileHead>
  labels: Map<string, FolderLabel>
  menu: { items: readonly MenuItem[]; folders: readonly string[] }
  /** What the texts were written for. */
  tool: Tool | undefined
}

const TEXT_FILE = /\.(?:md|mdx|markdown)$/i
const HTML_FILE = /\.html?$/i

export async function findSources(dir: string, base: Base, warnings: Problems): Promise<LenientSources> {
  const labels = new Map<string, FolderLabel>()
  const [texts, pages, documents]: string[][] = [[], [], []]
  let categories: string | undefined
  for await (const { path, entry } of walk(dir)) {
    if (entry.isSymbolicLink()) warnings.reporterFor(path)('Symbolic links are not followed.')
    else if (entry.isFile() && entry.name === CATEGORIES_FILE) categories ??= path
    else if (!entry.isFile() || isOrderFile(entry.name) || isPartOfOthers(path)) continue
    else if (LABEL_FILE.test(entry.name)) labels.set(foldersOf(path).join('/'), await readLabel(dir, path))
    else if (TEXT_FILE.test(entry.name)) texts?.push(path)
    else if (HTML_FILE.test(entry.name)) pages?.push(path)
    else if (entry.name.endsWith('.json')) documents?.push(path)
  }
  if (texts?.length === 0) {
    const exported = await readExports(dir, documents ?? [], base.language, warnings)
    if (exported !== undefined) return { categories, labels, ...fromExport(exported), tool: undefined }
  }
  const menu = await findMenu(dir, warnings)
  // Documentation that is written in Markdown may have pages of HTML for something else.
  const paths = texts?.length === 0 ? pages : texts
  const languages = languageFolders(paths ?? [])
  const files = (paths ?? []).map((path) => toFound(path, languages))
  const heads = await readHeads(dir, files)
  const tool = await findTool(dir, labels.size > 0)
  return { categories, labels, files, heads, menu: menu ?? { items: [], folders: [''] }, tool }
}

/** The folders with a language as their name whose files are mostly translations of those beside it. */
function languageFolders(paths: readonly string[]): string[] {
  const all = new Set(paths)
  const byFolder = Map.groupBy(paths, (path) => path.slice(0, path.indexOf('/') + 1))
  return [...byFolder].flatMap(([folder, inside]) => {
    const name = folder.slice(0, -1)
    const translated = inside.filter((path) => all.has(path.slice(folder.length)))
    return languageOf(name) !== undefined && translated.length * 2 > inside.length ? [name] : []
  })
}

/** Parts that other files include. */
const isPartOfOthers = (path: string): boolean =>
  /(?:^|\/)(?:snippets|_partials|_snippets|_includes|node_modules)\//.test(path) ||
  /(?:^|\/)_(?!index\.|category_\.)[^/]*$/.test(path)

const I18N = /^(?:.*\/)?i18n\/([^/]+)\/docusaurus-plugin-content-docs\/current\/(.*)$/

/** A language is at the end of the name, or the first folder. Docusaurus has a folder `i18n` for each. */
function toFound(path: string, languages: readonly string[]): FoundFile {
  const bare = (path.split('/').at(-1) ?? path).replace(TEXT_FILE, '').replace(HTML_FILE, '')
  const [, name = bare, suffix] = /^(.+)\.([^.]+)$/.exec(bare) ?? []
  const [, translated, original] = I18N.exec(path) ?? []
  const [first = ''] = path.split('/')
  const folder = languageOf(translated ?? (languages.includes(first) ? first : undefined))
  const language = folder ?? languageOf(suffix)
  const own = folder === undefined ? path : (original ?? path.slice(first.length + 1))
  const shown = languageOf(suffix) === undefined ? bare : name
  const key = [...foldersOf(own), shown].join('/')
  // The originals of Docusaurus are in another folder than their translations.
  return {
    ...{ path, name: shown, language, title: titleOf({ path, name: shown }) },
    key: key.replace(/^(?:website\/)?docs\//, ''),
  }
}

function fromExport(exported: HelpCentreExport): Pick<LenientSources, 'files' | 'heads' | 'menu'> {
  const pathOf = (id: string) => `article ${id}`
  const heads = new Map<string, FileHead>()
  const files = exported.articles.flatMap((article): FoundFile[] => {
    const { id, title, html, language, isDraft, isRestricted, tags, address, translations } = article
    const pathname = URL.parse(address)?.pathname ?? ''
    const path = pathOf(id)
    const name = slugify(title, `article-${id}`)
    heads.set(path, { id: undefined, addresses: [decoded(pathname), `articles/${id}`], slugs: [name, `${name}-${id}`] })
    const status = isDraft ? 'draft' : undefined
    const visibility = isRestricted ? 'internal' : undefined
    const own = { path, name, key: path, language: undefined, title: title || name }
    return [
      { ...own, text: { html, language, status, visibility, tags } },
      ...[...translations].map(([other, text]) => ({
        ...{ path: `${path} (${other})`, name, key: path, language: other, title: text.title || own.title },
        text: { html: text.html, language: undefined, status: undefined, visibility: undefined, tags: [] },
      })),
    ]
  })
  return { files, heads, menu: { items: toMenuItems(exported, pathOf), folders: [''] } }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
