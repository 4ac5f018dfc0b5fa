import { constants, type Dirent } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { field } from '../../../platform/contract/index.ts'
import { OperatorError } from '../../../platform/errors/operator-error.ts'
import { Language } from '../languages/contract.ts'
import { CATEGORIES_FILE } from './category-file.ts'
import type { Complain, Complaints } from './complaints.ts'

/** The files of one article, by their paths in the folder. */
export interface ArticleFiles {
  slug: string
  article: string | undefined
  translations: Map<Language, string>
}

export interface Folder {
  categories: string | undefined
  /** In the order of their slugs. */
  articles: ArticleFiles[]
}

/** Half a megabyte of text and all that may stand above it. What is larger is not even read. */
const FILE_BYTES_MAX = 1024 * 1024

/** What the name of a file says; undefined when it is none that a text may have. */
export function parseName(name: string): { slug: string; language: Language | undefined } | undefined {
  const [, slug, suffix] = /^([^.]+)(?:\.([^.]+))?\.md$/.exec(name) ?? []
  const language = Language.optional().safeParse(suffix)
  return field.slug.safeParse(slug).success && language.success
    ? { slug: slug as string, language: language.data }
    : undefined
}

/** Finds the files by their names, in whatever sub-folder they are. Nothing is read yet. */
export async function listFolder(dir: string, complaints: Complaints): Promise<Folder> {
  const bySlug = new Map<string, ArticleFiles>()
  let categories: string | undefined
  for await (const { path, entry } of walk(dir)) {
    const complain = complaints.about(path)
    if (entry.isSymbolicLink()) complain('Symbolic links are not followed. Put the file itself here.')
    else if (!entry.isFile()) continue
    else if (entry.name === CATEGORIES_FILE) {
      if (categories === undefined) categories = path
      else complain(`There is another one: ${categories}.`)
    } else if (/\.md$/i.test(entry.name)) addText(bySlug, path, entry.name, complain)
  }
  const articles = [...bySlug.values()].sort((a, b) => (a.slug < b.slug ? -1 : 1))
  return { categories, articles }
}

function addText(bySlug: Map<string, ArticleFiles>, path: string, name: string, complain: Complain): void {
  const parsed = parseName(name)
  if (parsed === undefined) {
    const slug = 'a slug has 1 to 200 lower-case letters, digits or -'
    complain(`It must be called <slug>.md, or <slug>.<language>.md for a translation; ${slug}.`)
    return
  }
  const { slug, language } = parsed
  const files = bySlug.get(slug) ?? { slug, article: undefined, translations: new Map() }
  const other = language === undefined ? files.article : files.translations.get(language)
  if (other !== undefined) complain(`There is another one of this name: ${other}.`)
  else if (language === undefined) files.article = path
  else files.translations.set(language, path)
  bySlug.set(slug, files)
}

/** Whatever is hidden is somebody else's. */
async function* walk(dir: string): AsyncGenerator<{ path: string; entry: Dirent }, void> {
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

/** In one order everywhere, so that complaints are the same too. */
async function list(dir: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(dir, { withFileTypes: true })
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    throw new OperatorError(`The folder ${dir} cannot be read: ${(error as Error).message}.`, { cause: error })
  }
}

/** The text of a file as it is, a byte order mark included; undefined when there was something to complain of. */
export async function readText(dir: string, path: string, complain: Complain): Promise<string | undefined> {
  const bytes = await readBytes(join(dir, path), complain)
  if (bytes === undefined) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    complain('It is not UTF-8.')
    return undefined
  }
}

async function readBytes(file: string, complain: Complain): Promise<Buffer | undefined> {
  try {
    // What was a file a moment ago could be a link by now. Windows has no such flag.
    const handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
    try {
      if ((await handle.stat()).size <= FILE_BYTES_MAX) return await handle.readFile()
      complain('It is too large: a text may have at most 500 KiB.')
    } finally {
      await handle.close()
    }
  } catch (error) {
    complain(`It cannot be read: ${(error as Error).message}.`)
  }
  return undefined
}
