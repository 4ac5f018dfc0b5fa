import type { Db } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import { slugify } from '../../../../platform/text/slugify.ts'
import { listAllCategories } from '../../article-categories/index.ts'
import { selectCategorySlugsElsewhere } from '../queries.ts'
import { type Base, findArticles, inChunks, type StoredArticle } from '../stored-articles.ts'
import { CATEGORIES_FILE } from './category-file.ts'
import { type ArticleFiles, type Folder, languageOf, walk } from './folder.ts'
import { foldersOf, type NamedFile, slugCandidates, titleOf, toTitle } from './lenient-names.ts'
import type { Problems } from './problems.ts'
import { toYaml } from './yaml.ts'

/** What the place of a file says about its article. */
export interface Placement {
  /** Used for a file without a title. */
  title: string
  category: string | null | undefined
}

export interface LenientFolder extends Folder {
  placements: Map<string, Placement>
  /** New categories, in the form of `categories.yaml`. */
  categoriesYaml: string
}

interface FoundFile extends NamedFile {
  language: ReturnType<typeof languageOf>
}

const TEXT_FILE = /\.(?:md|mdx|markdown)$/i

/** Finds the files of any documentation: names become slugs, and folders become categories. */
export async function listLenientFolder(
  dir: string,
  { db, orgId, base }: { db: Db; orgId: OrgId; base: Base },
  warnings: Problems,
): Promise<LenientFolder> {
  const files: FoundFile[] = []
  let categories: string | undefined
  for await (const { path, entry } of walk(dir)) {
    if (entry.isSymbolicLink()) warnings.reporterFor(path)('Symbolic links are not followed.')
    else if (entry.isFile() && entry.name === CATEGORIES_FILE) categories ??= path
    else if (entry.isFile() && TEXT_FILE.test(entry.name)) files.push(toFound(path, entry.name))
  }
  const bySlug = new Map<string, ArticleFiles>()
  const placements = new Map<string, Placement>()
  const mains = mainFiles(files)
  const slugs = await assignSlugs(mains, { db, orgId, base })
  const placed = categories === undefined ? await placeInCategories(mains, { db, orgId, base }) : undefined
  for (const file of mains) {
    const slug = slugs.get(file.path) ?? ''
    const category = placed?.byFolder.get(foldersOf(file.path).join('/'))
    placements.set(file.path, { title: titleOf(file), category: placed && (category ?? null) })
    bySlug.set(slug, { slug, article: file.path, translations: new Map() })
  }
  for (const file of files) {
    if (file.language === undefined) continue
    const main = mains.find(({ path, name }) => path !== file.path && isSame({ path, name }, file))
    const translations = main && bySlug.get(slugs.get(main.path) ?? '')?.translations
    if (translations === undefined) continue
    placements.set(file.path, { title: titleOf(file), category: undefined })
    translations.set(file.language, file.path)
  }
  const articles = [...bySlug.values()].sort((a, b) => (a.slug < b.slug ? -1 : 1))
  return { categories, articles, placements, categoriesYaml: placed?.yaml ?? '' }
}

function toFound(path: string, fileName: string): FoundFile {
  const bare = fileName.replace(TEXT_FILE, '')
  const [, name = bare, suffix] = /^(.+)\.([^.]+)$/.exec(bare) ?? []
  const language = languageOf(suffix)
  return { path, name: language === undefined ? bare : name, language }
}

const isSame = (a: NamedFile, b: NamedFile): boolean => keyOf(a) === keyOf(b)

const keyOf = ({ path, name }: NamedFile): string => [...foldersOf(path), name].join('/')

/** The files without a language, and those whose article has no other file. */
function mainFiles(files: readonly FoundFile[]): FoundFile[] {
  const withoutLanguage = new Map(
    files.filter(({ language }) => language === undefined).map((file) => [keyOf(file), file]),
  )
  const alone = files.filter((file) => file.language !== undefined && !withoutLanguage.has(keyOf(file)))
  const all = [...withoutLanguage.values(), ...new Map(alone.map((file) => [keyOf(file), file])).values()]
  const depth = ({ path }: FoundFile) => foldersOf(path).length
  return all.sort((a, b) => depth(a) - depth(b) || (a.path < b.path ? -1 : 1))
}

interface Place {
  db: Db
  orgId: OrgId
  base: Base
}

/**
 * Prefers a slug that an article of the knowledge base has already, so that an import can be repeated. Otherwise takes the
 * shortest one that is free.
 */
async function assignSlugs(files: readonly FoundFile[], { db, orgId, base }: Place): Promise<Map<string, string>> {
  const slugs = new Map<string, string>()
  /** Slugs, and the articles that have or had them. */
  const taken = new Set<string>()
  for (const chunk of inChunks(files)) {
    const candidates = chunk.map((file) => slugCandidates(file, base.slug))
    const stored = new Map<string, StoredArticle>()
    for (const some of inChunks([...new Set(candidates.flat())])) {
      for (const [slug, article] of await findArticles(db, orgId, some)) stored.set(slug, article)
    }
    const isFree = (slug: string) => {
      const { id, knowledge_base_id } = stored.get(slug) ?? { id: slug, knowledge_base_id: base.id }
      return !taken.has(slug) && !taken.has(id) && knowledge_base_id === base.id
    }
    for (const [n, file] of chunk.entries()) {
      const free = (candidates[n] ?? []).filter(isFree)
      const slug = free.find((each) => stored.has(each)) ?? free[0] ?? ''
      slugs.set(file.path, slug)
      taken.add(slug)
      taken.add(stored.get(slug)?.id ?? slug)
    }
  }
  return slugs
}

/** Categories for all folders with articles, below those of the folders around them. */
async function placeInCategories(files: readonly FoundFile[], { db, orgId, base }: Place) {
  const existing = new Set((await listAllCategories(db, orgId, base.id)).map(({ slug }) => slug))
  const folders = new Set<string>()
  for (const { path } of files) {
    const parts = foldersOf(path)
    for (let end = 1; end <= parts.length; end++) folders.add(parts.slice(0, end).join('/'))
  }
  const wanted = new Map([...folders].sort().map((folder) => [folder, slugify(folder.replaceAll('/', ' '), 'topic')]))
  const elsewhere = new Set<string>()
  for (const chunk of inChunks([...wanted.values()])) {
    for (const slug of await selectCategorySlugsElsewhere(db, orgId, base.id, chunk)) elsewhere.add(slug)
  }
  const byFolder = new Map<string, string>()
  const entries: object[] = []
  for (const [folder, slug] of wanted) {
    const own = elsewhere.has(slug) ? slugify(`${base.slug} ${slug}`, 'topic') : slug
    const parts = folder.split('/')
    const parent = byFolder.get(parts.slice(0, -1).join('/')) ?? null
    const isKnown = existing.has(own) || [...byFolder.values()].includes(own)
    byFolder.set(folder, own)
    if (!isKnown) entries.push({ slug: own, name: toTitle(parts.at(-1) ?? folder).slice(0, 100), parent })
  }
  return { byFolder, yaml: entries.length === 0 ? '' : toYaml(entries) }
}
