import type { z } from 'zod'
import type { Language } from '../../../platform/contract/languages.ts'
import type { Db } from '../../../platform/db/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { type ArticleSettings, toPlain } from '../articles/index.ts'
import { changeOf } from './article-change.ts'
import { ArticleFrontMatter, parseTextFile, TranslationFrontMatter } from './article-file.ts'
import { CATEGORIES_FILE } from './category-file.ts'
import { type CategoryPlan, planCategories } from './category-plan.ts'
import { type Counts, zeroCounts } from './counts.ts'
import { type ArticleFiles, listFolder, readText } from './folder.ts'
import { Problems, type ReportProblem } from './problems.ts'
import { countArticles, selectTexts } from './queries.ts'
import { References } from './references.ts'
import { type Base, findArticles, inChunks, type StoredArticle } from './stored-articles.ts'

/** How to create or update one article. */
export type ArticleStep = { slug: string; path: string; translations: TranslationStep[] } & (
  | { isNew: true; change: ArticleFrontMatter; isRewritten: true }
  | { isNew: false; id: string; change: Partial<ArticleFrontMatter>; isRewritten: boolean }
)

export interface TranslationStep {
  path: string
  language: Language
  title: string
  isNew: boolean
}

/**
 * Everything that an import will do. Contents are read again when needed, because all of them may not fit into memory.
 */
export interface Plan {
  categories: CategoryPlan
  /** Names of tags to create. */
  tags: string[]
  articles: ArticleStep[]
  counts: { articles: Counts; translations: Counts }
}

export interface PlanInput {
  db: Db
  orgId: OrgId
  base: Base
  dir: string
  settings: ArticleSettings
  onChecked: (path: string, count: number) => void
}

/** Reads and checks every file and compares it with the database. Throws all problems at once. */
export const planImport = (input: PlanInput): Promise<Plan> => new Planner(input).plan()

type Text = Awaited<ReturnType<typeof selectTexts>>[number]

class Planner {
  readonly #input: PlanInput
  readonly #problems = new Problems()
  readonly #articles: ArticleStep[] = []
  readonly #counts = { articles: zeroCounts(), translations: zeroCounts() }
  #checked = 0

  constructor(input: PlanInput) {
    this.#input = input
  }

  async plan(): Promise<Plan> {
    const { db, orgId, base, dir } = this.#input
    const folder = await listFolder(dir, this.#problems)
    const categories = await this.#planCategories(folder.categories)
    const references = new References(
      new Set(folder.articles.flatMap(({ slug, article }) => (article === undefined ? [] : [slug]))),
      categories && new Set([...categories.ids.keys(), ...categories.steps.map(({ slug }) => slug)]),
    )
    this.#counts.articles.left_alone = await countArticles(db, orgId, base.id)
    for (const chunk of inChunks(folder.articles)) {
      const slugs = chunk.map(({ slug }) => slug)
      const stored = await findArticles(db, orgId, slugs)
      for (const files of chunk) await this.#planArticle(files, stored.get(files.slug), references)
    }
    await references.checkOutside(db, orgId)
    this.#problems.throwIfAny('Nothing was imported. Fix these problems first:')
    if (categories === undefined) throw new Error('invalid categories were not reported')
    const tags = await references.findNewTags(db, orgId)
    return { categories, tags, articles: this.#articles, counts: this.#counts }
  }

  /** Without a file, all categories are left alone. */
  async #planCategories(path: string | undefined): Promise<CategoryPlan | undefined> {
    const { db, orgId, base, dir } = this.#input
    const report = this.#problems.reporterFor(path ?? CATEGORIES_FILE)
    const text = path === undefined ? '' : await readText(dir, path, report)
    return text === undefined ? undefined : planCategories(db, orgId, base.id, text, report)
  }

  async #planArticle(files: ArticleFiles, stored: StoredArticle | undefined, references: References): Promise<void> {
    const { slug, article: path } = files
    const { db, orgId, base } = this.#input
    if (path === undefined) {
      const problem = `This is a translation of ${slug}.md, which is not in the folder.`
      for (const translation of files.translations.values()) this.#problems.reporterFor(translation)(problem)
      return
    }
    const report = this.#problems.reporterFor(path)
    if (stored !== undefined && stored.knowledge_base_id !== base.id) {
      report('An article of another knowledge base has this slug.')
    }
    const texts = stored === undefined ? [] : await selectTexts(db, orgId, stored.id)
    const own = texts.find(({ language }) => language === stored?.language)
    const translated = texts.filter((text) => text !== own)
    const file = await this.#read(path, ArticleFrontMatter, report)
    const language = file?.value.language ?? stored?.language ?? base.language
    if (translated.some((text) => text.language === language)) {
      report(`language: The article already has a translation in ${language}.`, file?.lineOf(['language']))
    }
    const translations = await this.#planTranslations(files, language, translated)
    if (file === undefined) return
    references.check(slug, file, report)
    const isRewritten = await this.#isRewritten(file, own, report)
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

  /** Returns steps only for translations that are new or differ. */
  async #planTranslations(
    { translations }: ArticleFiles,
    articleLanguage: string,
    translated: readonly Text[],
  ): Promise<TranslationStep[]> {
    const counts = this.#counts.translations
    counts.left_alone += translated.filter(({ language }) => !translations.has(language as Language)).length
    const steps: TranslationStep[] = []
    for (const [language, path] of translations) {
      const report = this.#problems.reporterFor(path)
      if (language === articleLanguage) report(`The article itself is in ${language}.`)
      const before = translated.find((text) => text.language === language)
      const file = await this.#read(path, TranslationFrontMatter, report)
      if (file === undefined) continue
      const { title } = file.value
      if (!(await this.#isRewritten(file, before, report)) && title === before?.title) {
        counts.unchanged++
        continue
      }
      steps.push({ path, language, title, isNew: before === undefined })
      counts[before === undefined ? 'created' : 'updated']++
    }
    return steps
  }

  async #read<Schema extends z.ZodType>(path: string, schema: Schema, report: ReportProblem) {
    this.#input.onChecked(path, ++this.#checked)
    const text = await readText(this.#input.dir, path, report)
    return text === undefined ? undefined : parseTextFile(text, schema, report)
  }

  /** Renders a new text, so that one that takes too long is reported now and not halfway through the import. */
  async #isRewritten(
    { content }: { content: string },
    before: Text | undefined,
    report: ReportProblem,
  ): Promise<boolean> {
    if (content === before?.content) return false
    try {
      await toPlain(this.#input, content, this.#input.settings)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      report(error.message)
    }
    return true
  }
}
