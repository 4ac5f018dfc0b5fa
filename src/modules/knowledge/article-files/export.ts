import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../../../platform/db/index.ts'
import { OperatorError } from '../../../platform/errors/operator-error.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import { listAllCategories } from '../article-categories/index.ts'
import { toArticleFile, toTranslationFile } from './article-file.ts'
import { CATEGORIES_FILE, toCategoryFile } from './category-file.ts'
import { parseName } from './folder.ts'
import { selectArticlesAfter, selectTexts } from './queries.ts'
import { AT_ONCE, describeArticles, requireBase, type StoredArticle } from './stored.ts'

interface ExportOptions {
  dir: string
  /** The slug of the knowledge base. */
  base: string
  /** Replaces the articles that the folder holds. */
  force: boolean
  onExported?: (name: string, count: number) => void
}

export interface ExportSummary {
  articles: number
  translations: number
  categories: number
  /** Files of articles that are no longer there. */
  removed: number
}

/** Writes every article of a knowledge base into a folder, a file each, a page of them at a time. */
export async function exportArticles(db: Db, orgId: OrgId, options: ExportOptions): Promise<ExportSummary> {
  const { dir, base: slug, force, onExported = () => {} } = options
  const base = await requireBase(db, orgId, slug)
  const summary = { articles: 0, translations: 0, categories: 0, removed: 0 }
  try {
    const leftover = await openFolder(dir, force)
    const write = async (name: string, text: string) => {
      await writeWhole(dir, name, text)
      leftover.delete(name)
    }
    const categories = await listAllCategories(db, orgId, base.id)
    summary.categories = categories.length
    if (categories.length > 0) await write(CATEGORIES_FILE, toCategoryFile(categories))
    for await (const article of readArticles(db, orgId, base.id)) {
      summary.translations += await writeArticle(db, orgId, article, write)
      onExported(article.slug, ++summary.articles)
    }
    for (const name of leftover) await rm(join(dir, name))
    return { ...summary, removed: leftover.size }
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException
    if (syscall === undefined) throw error
    throw new OperatorError(`The folder ${dir} cannot be written: ${message}.`, { cause: error })
  }
}

/** Goes on after the last slug, so that the last page costs what the first did. */
async function* readArticles(db: Db, orgId: OrgId, baseId: string): AsyncGenerator<StoredArticle, void> {
  for (let after = ''; ; ) {
    const rows = await selectArticlesAfter(db, orgId, baseId, after, AT_ONCE)
    yield* await describeArticles(db, orgId, rows)
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.slug
  }
}

type Write = (name: string, text: string) => Promise<void>

/** With its translations; answers how many. */
async function writeArticle(db: Db, orgId: OrgId, article: StoredArticle, write: Write): Promise<number> {
  const texts = await selectTexts(db, orgId, article.id)
  for (const text of texts) {
    if (text.language === article.language) await write(`${article.slug}.md`, toArticleFile(text, article))
    else await write(`${article.slug}.${text.language}.md`, toTranslationFile(text))
  }
  return texts.length - 1
}

/**
 * Answers the names of the articles that the folder holds: whatever of them is not written again goes. A folder that
 * holds anything else was probably not meant.
 */
async function openFolder(dir: string, force: boolean): Promise<Set<string>> {
  await mkdir(dir, { recursive: true })
  const entries = (await readdir(dir, { withFileTypes: true })).filter(({ name }) => !name.startsWith('.'))
  const isOurs = (name: string) => name === CATEGORIES_FILE || parseName(name) !== undefined
  const other = entries.find((entry) => !entry.isFile() || !isOurs(entry.name))
  if (other !== undefined) {
    throw new OperatorError(`The folder ${dir} holds something else than articles: ${other.name}. Choose another one.`)
  }
  if (entries.length > 0 && !force) {
    throw new OperatorError(
      `The folder ${dir} is not empty. Choose another one, or replace what it holds with --force.`,
    )
  }
  return new Set(entries.map(({ name }) => name))
}

/** Under another name until it is whole. A hidden one, so that nobody takes for an article what a kill left behind. */
async function writeWhole(dir: string, name: string, text: string): Promise<void> {
  const partial = join(dir, `.${newId()}.partial`)
  try {
    await writeFile(partial, text)
    await rename(partial, join(dir, name))
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}
