import { constants, type Dirent } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { field } from '../../../../platform/contract/index.ts'
import { ContentLanguage } from '../../../../platform/contract/languages.ts'
import { OperatorError } from '../../../../platform/errors/operator-error.ts'
import { CATEGORIES_FILE } from './category-file.ts'
import type { Problems, ReportProblem } from './problems.ts'

/** The files of one article, by their paths in the folder. */
export interface ArticleFiles {
  slug: string
  article: string | undefined
  translations: Map<ContentLanguage, string>
}

export interface Folder {
  categories: string | undefined
  /** Sorted by slug. */
  articles: ArticleFiles[]
}

/** Room for half a megabyte of text and its front matter. Larger files are not read. */
const FILE_BYTES_MAX = 1024 * 1024

/** The language in the name of a file; undefined if it is none. */
export const languageOf = (suffix: string | undefined): ContentLanguage | undefined =>
  ContentLanguage.safeParse(suffix).data

/** Returns undefined unless the name is `<slug>.md` or `<slug>.<language>.md`. */
export function parseName(name: string): { slug: string; language: ContentLanguage | undefined } | undefined {
  const [, slug, suffix] = /^([^.]+)(?:\.([^.]+))?\.md$/.exec(name) ?? []
  const language = ContentLanguage.optional().safeParse(suffix)
  return field.slug.safeParse(slug).success && language.success
    ? { slug: slug as string, language: language.data }
    : undefined
}

/** Finds files by name, in all subfolders. Does not read them. */
export async function listFolder(dir: string, problems: Problems): Promise<Folder> {
  const bySlug = new Map<string, ArticleFiles>()
  let categories: string | undefined
  for await (const { path, entry } of walk(dir)) {
    const report = problems.reporterFor(path)
    if (entry.isSymbolicLink()) report('Symbolic links are not followed. Put the file itself here.')
    else if (!entry.isFile()) continue
    else if (entry.name === CATEGORIES_FILE) {
      if (categories === undefined) categories = path
      else report(`There is another file with this name: ${categories}.`)
    } else if (/\.md$/i.test(entry.name)) addText(bySlug, path, entry.name, report)
  }
  const articles = [...bySlug.values()].sort((a, b) => (a.slug < b.slug ? -1 : 1))
  return { categories, articles }
}

function addText(bySlug: Map<string, ArticleFiles>, path: string, name: string, report: ReportProblem): void {
  const parsed = parseName(name)
  if (parsed === undefined) {
    const slug = 'A slug has 1 to 200 lower-case letters, digits or -'
    report(`The file name must be <slug>.md, or <slug>.<language>.md for a translation. ${slug}.`)
    return
  }
  const { slug, language } = parsed
  const files = bySlug.get(slug) ?? { slug, article: undefined, translations: new Map() }
  const other = language === undefined ? files.article : files.translations.get(language)
  if (other !== undefined) report(`There is another file with this name: ${other}.`)
  else if (language === undefined) files.article = path
  else files.translations.set(language, path)
  bySlug.set(slug, files)
}

/** Yields all entries of the folder and its subfolders. Skips hidden ones, which belong to other tools. */
export async function* walk(dir: string): AsyncGenerator<{ path: string; entry: Dirent }, void> {
  const folders = ['']
  for (const folder of folders) {
    for (const entry of await list(join(dir, folder))) {
      if (entry.name.startsWith('.')) continue
      const path = `${folder}${entry.name}`
      if (entry.isDirectory()) folders.push(`${path}/`)
      else yield { path, entry }
    }
  }
}

/** Sorted, so that problems are reported in the same order on every machine. */
async function list(dir: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(dir, { withFileTypes: true })
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    throw new OperatorError(`The folder ${dir} cannot be read: ${(error as Error).message}.`, { cause: error })
  }
}

/** Returns the text of a file, including a byte order mark. Reports problems and then returns undefined. */
export async function readText(dir: string, path: string, report: ReportProblem): Promise<string | undefined> {
  const bytes = await readBytes(join(dir, path), report)
  if (bytes === undefined) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    report('The file is not UTF-8.')
    return undefined
  }
}

async function readBytes(file: string, report: ReportProblem): Promise<Buffer | undefined> {
  try {
    // The file may have been replaced by a link since it was listed. Windows does not have this flag.
    const handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
    try {
      if ((await handle.stat()).size <= FILE_BYTES_MAX) return await handle.readFile()
      report('The file is too large. The text may have at most 500 KiB.')
    } finally {
      await handle.close()
    }
  } catch (error) {
    report(`The file cannot be read: ${(error as Error).message}.`)
  }
  return undefined
}
