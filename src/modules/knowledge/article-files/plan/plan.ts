import type { ContentLanguage } from '../../../../platform/contract/languages.ts'
import type { Db } from '../../../../platform/db/index.ts'
import { ApiError } from '../../../../platform/errors/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import { type ArticleSettings, toPlain } from '../../articles/index.ts'
import type { ArticleFrontMatter } from '../format/article-file.ts'
import { CATEGORIES_FILE } from '../format/category-file.ts'
import { type ArticleFiles, type Folder, listFolder, readText } from '../format/folder.ts'
import { type LenientFolder, listLenientFolder } from '../format/lenient-folder.ts'
import { type ImportWarning, Problems, type ReportProblem } from '../format/problems.ts'
import type { Pictures } from '../pictures.ts'
import { countArticles, selectTexts } from '../queries.ts'
import { type Base, findArticles, inChunks, type StoredArticle } from '../stored-articles.ts'
import { changeOf } from './article-change.ts'
import { type CategoryPlan, planCategories } from './category-plan.ts'
import { type Counts, zeroCounts } from './counts.ts'
import { FolderLinks } from './file-links.ts'
import { References } from './references.ts'
import { type CheckedText, TextReader } from './text-reader.ts'

/** How to create or update one article. */
export type ArticleStep = { slug: string; path: string; translations: TranslationStep[] } & (
  | { isNew: true; change: ArticleFrontMatter; isRewritten: true }
  | { isNew: false; id: string; change: Partial<ArticleFrontMatter>; isRewritten: boolean }
)

export interface TranslationStep {
  path: string
  language: ContentLanguage
  title: string
  isNew: boolean
}

/**
 * Everything that an import will do. Contents are read again when needed, because all of them may not fit into memory.
 */
export interface ImportPlan {
  categories: CategoryPlan
  /** Names of tags to create. */
  tags: string[]
  articles: ArticleStep[]
  counts: { articles: Counts; translations: Counts }
  /** Reads the files again. */
  reader: TextReader
  warnings: ImportWarning[]
  /** How many keys of the front matter were ignored. */
  ignoredKeys: number
}

export interface PlanInput {
  db: Db
  orgId: OrgId
  base: Base
  dir: string
  settings: ArticleSettings
  pictures: Pictures
  /** Accepts the files of any documentation. */
  isLenient: boolean
  /** Where the documentation was until now. Links to it lead to the articles instead. */
  oldSite: URL | undefined
  /** New articles whose files have no status get this one. */
  status: ArticleFrontMatter['status']
  onChecked: (path: string, count: number) => void
}

/** Reads and checks every file and compares it with the database. Throws all problems at once. */
export const planImport = (input: PlanInput): Promise<ImportPlan> => new Planner(input).plan()

type Text = Awaited<ReturnType<typeof selectTexts>>[number]

class Planner {
  readonly #input: PlanInput
  readonly #problems = new Problems()
  readonly #warnings = new Problems()
  readonly #articles: ArticleStep[] = []
  readonly #counts = { articles: zeroCounts(), translations: zeroCounts() }
  #checked = 0
  #ignoredKeys = 0
  #reader: TextReader | undefined

  constructor(input: PlanInput) {
    this.#input = input
  }

  async plan(): Promise<ImportPlan> {
    const { db, orgId, base, dir } = this.#input
    const folder: Folder & Partial<LenientFolder> = this.#input.isLenient
      ? await listLenientFolder(dir, this.#input, this.#warnings)
      : await listFolder(dir, this.#problems)
    const { placements, aliases = new Map() } = folder
    const links = new FolderLinks(aliases, this.#input.oldSite)
    for (const { slug, article, translations } of folder.articles) {
      for (const path of [article, ...translations.values()]) if (path !== undefined) links.add(path, slug)
    }
    const reader = new TextReader({ dir, links, pictures: this.#input.pictures, placements })
    this.#reader = reader
    const categories = await this.#planCategories(folder.categories, folder.categoriesYaml)
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
    return {
      categories,
      tags,
      articles: this.#articles,
      counts: this.#counts,
      reader,
      warnings: this.#warnings.toWarnings(),
      ignoredKeys: this.#ignoredKeys,
    }
  }

  /** Without a file, all categories are left alone. */
  async #planCategories(path: string | undefined, otherwise = ''): Promise<CategoryPlan | undefined> {
    const { db, orgId, base, dir } = this.#input
    const report = this.#problems.reporterFor(path ?? CATEGORIES_FILE)
    const text = path === undefined ? otherwise : await readText(dir, path, report)
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
    if (stored !== undefined && stored.slug !== slug && references.has(stored.slug)) {
      report(`The article ${stored.slug}, which is also in the folder, had this slug earlier.`)
    }
    if (stored !== undefined && stored.knowledge_base_id !== base.id) {
      report('An article of another knowledge base has this slug.')
    }
    const texts = stored === undefined ? [] : await selectTexts(db, orgId, stored.id)
    const own = texts.find(({ language }) => language === stored?.language)
    const translated = texts.filter((text) => text !== own)
    const file = await this.#read(path, 'article', report, references)
    const language = file?.value.language ?? stored?.language ?? base.language
    if (translated.some((text) => text.language === language)) {
      report(`language: The article already has a translation in ${language}.`, file?.lineOf(['language']))
    }
    const translations = await this.#planTranslations(files, language, translated, references)
    if (file === undefined) return
    references.check(slug, file, report)
    const isRewritten = await this.#isRewritten(path, file, own, report)
    if (stored === undefined || own === undefined) {
      const change = { ...(this.#input.status !== undefined && { status: this.#input.status }), ...file.value }
      this.#articles.push({ slug, path, translations, isNew: true, change, isRewritten: true })
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
    references: References,
  ): Promise<TranslationStep[]> {
    const counts = this.#counts.translations
    counts.left_alone += translated.filter(({ language }) => !translations.has(language as ContentLanguage)).length
    const steps: TranslationStep[] = []
    for (const [language, path] of translations) {
      const report = this.#problems.reporterFor(path)
      if (language === articleLanguage) report(`The article itself is in ${language}.`)
      const before = translated.find((text) => text.language === language)
      const file = await this.#read(path, 'translation', report, references)
      if (file === undefined) continue
      const { title } = file.value
      if (!(await this.#isRewritten(path, file, before, report)) && title === before?.title) {
        counts.unchanged++
        continue
      }
      steps.push({ path, language, title, isNew: before === undefined })
      counts[before === undefined ? 'created' : 'updated']++
    }
    return steps
  }

  async #read<K extends 'article' | 'translation'>(
    path: string,
    kind: K,
    report: ReportProblem,
    references: References,
  ) {
    this.#input.onChecked(path, ++this.#checked)
    const file = await this.#reader?.check(this.#input, path, kind, report, this.#warnings)
    const warn = this.#warnings.reporterFor(path)
    for (const { slug, written, line } of file?.links ?? []) {
      references.checkLink(slug, () => warn(`Dead link: there is no article for ${written}.`, line))
    }
    this.#ignoredKeys += file?.ignored.length ?? 0
    return file
  }

  /** Renders a new text, so that one that takes too long is reported now and not halfway through the import. */
  async #isRewritten(
    path: string,
    { content, toFileLine, hasNewPictures }: CheckedText<unknown>,
    before: Text | undefined,
    report: ReportProblem,
  ): Promise<boolean> {
    if (content === before?.content && !hasNewPictures) return false
    try {
      const { warnings } = await toPlain(this.#input, content, this.#input.settings)
      const warn = this.#warnings.reporterFor(path)
      for (const { line, message } of warnings) warn(message, toFileLine(line))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      report(error.message)
    }
    return true
  }
}
