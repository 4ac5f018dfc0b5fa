import type { z } from 'zod'
import type { Db } from '../../../platform/db/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { type ArticleSettings, toPlain } from '../articles/index.ts'
import type { Language } from '../languages/index.ts'
import { changeOf } from './article-change.ts'
import { ArticleHead, parseTextFile, TranslationHead } from './article-file.ts'
import { CATEGORIES_FILE } from './category-file.ts'
import { type CategoryPlan, planCategories } from './category-plan.ts'
import { type Complain, Complaints } from './complaints.ts'
import { type Counts, noneYet } from './counts.ts'
import { type ArticleFiles, listFolder, readText } from './folder.ts'
import { countArticles, selectTexts } from './queries.ts'
import { References } from './references.ts'
import { type Base, findArticles, inChunks, type StoredArticle } from './stored.ts'

/** What is to be done for an article. */
export type ArticleStep = { slug: string; path: string; translations: TranslationStep[] } & (
  | { isNew: true; change: ArticleHead; isRewritten: true }
  | { isNew: false; id: string; change: Partial<ArticleHead>; isRewritten: boolean }
)

export interface TranslationStep {
  path: string
  language: Language
  title: string
  isNew: boolean
}

/** What an import will do. Contents are not in it: they are read again when their turn comes. */
export interface Plan {
  categories: CategoryPlan
  /** Names of tags that are not there yet. */
  tags: string[]
  articles: ArticleStep[]
  counts: { articles: Counts; translations: Counts }
}

/** What is imported, and where to. */
export interface Task {
  db: Db
  orgId: OrgId
  base: Base
  dir: string
  settings: ArticleSettings
  onChecked: (path: string, count: number) => void
}

/** Reads and checks every file, and compares it with what is there. Throws all complaints at once. */
export const planImport = (task: Task): Promise<Plan> => new Planner(task).plan()

type Text = Awaited<ReturnType<typeof selectTexts>>[number]

class Planner {
  readonly #task: Task
  readonly #complaints = new Complaints()
  readonly #articles: ArticleStep[] = []
  readonly #counts = { articles: noneYet(), translations: noneYet() }
  #checked = 0

  constructor(task: Task) {
    this.#task = task
  }

  async plan(): Promise<Plan> {
    const { db, orgId, base, dir } = this.#task
    const folder = await listFolder(dir, this.#complaints)
    const categories = await this.#planCategories(folder.categories)
    const references = new References(
      new Set(folder.articles.flatMap(({ slug, article }) => (article === undefined ? [] : [slug]))),
      categories && new Set([...categories.ids.keys(), ...categories.steps.map(({ slug }) => slug)]),
    )
    this.#counts.articles.left_alone = await countArticles(db, orgId, base.id)
    for (const some of inChunks(folder.articles)) {
      const slugs = some.map(({ slug }) => slug)
      const stored = await findArticles(db, orgId, slugs)
      for (const files of some) await this.#planFiles(files, stored.get(files.slug), references)
    }
    await references.checkOutside(db, orgId)
    this.#complaints.refuse('Nothing was imported. Put this right first:')
    if (categories === undefined) throw new Error('there was no complaint of categories that cannot be read')
    const tags = await references.findNewTags(db, orgId)
    return { categories, tags, articles: this.#articles, counts: this.#counts }
  }

  /** Where there is no file, nothing is said of them. */
  async #planCategories(path: string | undefined): Promise<CategoryPlan | undefined> {
    const { db, orgId, base, dir } = this.#task
    const complain = this.#complaints.about(path ?? CATEGORIES_FILE)
    const text = path === undefined ? '' : await readText(dir, path, complain)
    return text === undefined ? undefined : planCategories(db, orgId, base.id, text, complain)
  }

  /** An article with its translations. */
  async #planFiles(files: ArticleFiles, stored: StoredArticle | undefined, references: References): Promise<void> {
    const { slug, article: path } = files
    const { db, orgId, base } = this.#task
    if (path === undefined) {
      const complaint = `It is a translation of ${slug}.md, which is not there.`
      for (const translation of files.translations.values()) this.#complaints.about(translation)(complaint)
      return
    }
    const complain = this.#complaints.about(path)
    if (stored !== undefined && stored.knowledge_base_id !== base.id) {
      complain('An article of another knowledge base has this slug.')
    }
    const texts = stored === undefined ? [] : await selectTexts(db, orgId, stored.id)
    const own = texts.find(({ language }) => language === stored?.language)
    const translated = texts.filter((text) => text !== own)
    const file = await this.#read(path, ArticleHead, complain)
    const language = file?.value.language ?? stored?.language ?? base.language
    if (translated.some((text) => text.language === language)) {
      complain(`language: The article has a translation in ${language} already.`, file?.lineOf(['language']))
    }
    const translations = await this.#planTranslations(files, language, translated)
    if (file === undefined) return
    references.check(slug, file, complain)
    const isRewritten = await this.#isRewritten(file, own, complain)
    if (stored === undefined || own === undefined) {
      this.#articles.push({ slug, path, translations, isNew: true, change: file.value, isRewritten: true })
      this.#counts.articles.created++
      return
    }
    const change = changeOf(file.value, { ...stored, title: own.title })
    const isChanged = isRewritten || Object.keys(change).length > 0
    this.#counts.articles[isChanged ? 'updated' : 'unchanged']++
    this.#counts.articles.left_alone--
    if (!isChanged && translations.length === 0) return
    this.#articles.push({ slug, path, translations, isNew: false, id: stored.id, change, isRewritten })
  }

  /** Those that have something to be done. */
  async #planTranslations(
    { translations }: ArticleFiles,
    articleLanguage: string,
    translated: readonly Text[],
  ): Promise<TranslationStep[]> {
    const counts = this.#counts.translations
    counts.left_alone += translated.filter(({ language }) => !translations.has(language as Language)).length
    const steps: TranslationStep[] = []
    for (const [language, path] of translations) {
      const complain = this.#complaints.about(path)
      if (language === articleLanguage) complain(`The article itself is in ${language}.`)
      const before = translated.find((text) => text.language === language)
      const file = await this.#read(path, TranslationHead, complain)
      if (file === undefined) continue
      const { title } = file.value
      if (!(await this.#isRewritten(file, before, complain)) && title === before?.title) {
        counts.unchanged++
        continue
      }
      steps.push({ path, language, title, isNew: before === undefined })
      counts[before === undefined ? 'created' : 'updated']++
    }
    return steps
  }

  async #read<Head extends z.ZodType>(path: string, head: Head, complain: Complain) {
    this.#task.onChecked(path, ++this.#checked)
    const text = await readText(this.#task.dir, path, complain)
    return text === undefined ? undefined : parseTextFile(text, head, complain)
  }

  /** What takes too long to render is refused now, not when half of the work is done. */
  async #isRewritten({ content }: { content: string }, before: Text | undefined, complain: Complain): Promise<boolean> {
    if (content === before?.content) return false
    try {
      await toPlain(content, this.#task.settings)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      complain(error.message)
    }
    return true
  }
}
