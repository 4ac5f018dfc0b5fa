import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../../../platform/db/index.ts'
import { OperatorError } from '../../../platform/errors/operator-error.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import { listAllCategories } from '../article-categories/index.ts'
import { toArticleFile, toTranslationFile } from './format/article-file.ts'
import { CATEGORIES_FILE, toCategoryFile } from './format/category-file.ts'
import { parseName } from './format/folder.ts'
import { selectArticlesAfter, selectTexts } from './queries.ts'
import { CHUNK_SIZE, requireBase, type StoredArticle, toStoredArticles } from './stored-articles.ts'

interface ExportOptions {
  dir: string
  /** The slug of the knowledge base. */
  base: string
  /** Replaces the articles in the folder. */
  force: boolean
  onExported?: (name: string, count: number) => void
}

export interface ExportSummary {
  articles: number
  translations: number
  categories: number
  /** Files of articles that no longer exist. */
  removed: number
}

/** Writes every article of a knowledge base to a file in the folder. */
export async function exportArticles(db: Db, orgId: OrgId, options: ExportOptions): Promise<ExportSummary> {
  const { dir, base: slug, force, onExported = () => {} } = options
  const base = await requireBase(db, orgId, slug)
  const summary = { articles: 0, translations: 0, categories: 0, removed: 0 }
  try {
    const outdated = await openFolder(dir, force)
    const write = async (name: string, text: string) => {
      await writeAtomically(dir, name, text)
      outdated.delete(name)
    }
    const categories = await listAllCategories(db, orgId, base.id)
    summary.categories = categories.length
    if (categories.length > 0) await write(CATEGORIES_FILE, toCategoryFile(categories))
    for await (const article of readArticles(db, orgId, base.id)) {
      summary.translations += await writeArticle(db, orgId, article, write)
      onExported(article.slug, ++summary.articles)
    }
    for (const name of outdated) await rm(join(dir, name))
    return { ...summary, removed: outdated.size }
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException
    if (syscall === undefined) throw error
    throw new OperatorError(`The folder ${dir} cannot be written: ${message}.`, { cause: error })
  }
}

/** Reads in chunks, each from the last slug on, so that the last one costs as much as the first. */
async function* readArticles(db: Db, orgId: OrgId, baseId: string): AsyncGenerator<StoredArticle, void> {
  for (let after = ''; ; ) {
    const rows = await selectArticlesAfter(db, orgId, baseId, after, CHUNK_SIZE)
    yield* await toStoredArticles(db, orgId, rows)
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.slug
  }
}

type Write = (name: string, text: string) => Promise<void>

/** Writes an article and its translations. Returns the number of translations. */
async function writeArticle(db: Db, orgId: OrgId, article: StoredArticle, write: Write): Promise<number> {
  const texts = await selectTexts(db, orgId, article.id)
  for (const text of texts) {
    if (text.language === article.language) await write(`${article.slug}.md`, toArticleFile(text, article))
    else await write(`${article.slug}.${text.language}.md`, toTranslationFile(text))
  }
  return texts.length - 1
}

/** Returns the names of the article files in the folder. With any other file, it is probably the wrong folder. */
async function openFolder(dir: string, force: boolean): Promise<Set<string>> {
  await mkdir(dir, { recursive: true })
  const entries = (await readdir(dir, { withFileTypes: true })).filter(({ name }) => !name.startsWith('.'))
  const isOurs = (name: string) => name === CATEGORIES_FILE || parseName(name) !== undefined
  const other = entries.find((entry) => !entry.isFile() || !isOurs(entry.name))
  if (other !== undefined) {
    throw new OperatorError(
      `The folder ${dir} contains something other than articles: ${other.name}. Choose another folder.`,
    )
  }
  if (entries.length > 0 && !force) {
    throw new OperatorError(
      `The folder ${dir} is not empty. Choose another folder, or replace the articles in it with --force.`,
    )
  }
  return new Set(entries.map(({ name }) => name))
}

/** Writes to a temporary file first. It is hidden, so that an import ignores what a killed export left behind. */
async function writeAtomically(dir: string, name: string, text: string): Promise<void> {
  const partial = join(dir, `.${newId()}.partial`)
  try {
    await writeFile(partial, text)
    await rename(partial, join(dir, name))
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}
