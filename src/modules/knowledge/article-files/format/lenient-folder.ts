import type { Db } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import { type Base, findArticles, inChunks, type StoredArticle } from '../stored-articles.ts'
import { FileAddresses } from './file-addresses.ts'
import type { FileHead } from './file-heads.ts'
import type { ArticleFiles, Folder } from './folder.ts'
import { type Place, placeInCategories } from './lenient-categories.ts'
import { foldersOf, slugCandidates } from './lenient-names.ts'
import { type ForeignText, type FoundFile, findSources } from './lenient-sources.ts'
import type { Problems } from './problems.ts'
import type { Tool } from './tool.ts'

/** What the place of a file says about its article. */
export interface Placement {
  /** Used for a file without a title. */
  title: string
  category: string | null | undefined
  /** If it is no file of its own. */
  text?: ForeignText
  /** What it was written for. */
  tool: Tool | undefined
}

export interface LenientFolder extends Folder {
  placements: Map<string, Placement>
  /** New categories, in the form of `categories.yaml`. */
  categoriesYaml: string
  /** Other addresses of articles in the old documentation, with their files. */
  aliases: ReadonlyMap<string, string>
}

/** Finds the files of any documentation: names become slugs, and folders become categories. */
export async function listLenientFolder(
  dir: string,
  { db, orgId, base }: { db: Db; orgId: OrgId; base: Base },
  warnings: Problems,
): Promise<LenientFolder> {
  const { categories, files, heads, labels, menu, tool } = await findSources(dir, base, warnings)
  const bySlug = new Map<string, ArticleFiles>()
  const placements = new Map<string, Placement>()
  const mains = mainFiles(files)
  const addresses = new FileAddresses(mains, heads, menu.folders)
  const slugs = await assignSlugs(mains, heads, { db, orgId, base })
  const find = (target: string) => addresses.find(target)
  const input = { db, orgId, base, files: mains, menu: menu.items, find, labels, root: menu.folders[0] ?? '' }
  const placed = categories === undefined ? await placeInCategories(input) : undefined
  for (const file of mains) {
    const slug = slugs.get(file.path) ?? ''
    placements.set(file.path, { ...placementOf(file), tool, category: placed?.slugOf(file.path) })
    bySlug.set(slug, { slug, article: file.path, translations: new Map() })
  }
  const mainOf = new Map(mains.map((file) => [file.key, file]))
  for (const file of files) {
    if (file.language === undefined) continue
    const main = mainOf.get(file.key)
    const translations = main && main.path !== file.path && bySlug.get(slugs.get(main.path) ?? '')?.translations
    if (!translations) continue
    placements.set(file.path, { ...placementOf(file), tool, category: undefined })
    translations.set(file.language, file.path)
  }
  const articles = [...bySlug.values()].sort((a, b) => (a.slug < b.slug ? -1 : 1))
  return { categories, articles, placements, categoriesYaml: placed?.yaml ?? '', aliases: addresses.aliases }
}

const placementOf = ({ title, text }: FoundFile) => ({ title, ...(text && { text }) })

/** The files without a language, and those whose article has no other file. */
function mainFiles(files: readonly FoundFile[]): FoundFile[] {
  const withoutLanguage = new Map(
    files.filter(({ language }) => language === undefined).map((file) => [file.key, file]),
  )
  const alone = files.filter((file) => file.language !== undefined && !withoutLanguage.has(file.key))
  const all = [...withoutLanguage.values(), ...new Map(alone.map((file) => [file.key, file])).values()]
  const depth = ({ path }: FoundFile) => foldersOf(path).length
  return all.sort((a, b) => depth(a) - depth(b) || (a.path < b.path ? -1 : 1))
}

/**
 * Prefers a slug that an article of the knowledge base has already, so that an import can be repeated. Otherwise takes the
 * shortest one that is free.
 */
async function assignSlugs(
  files: readonly FoundFile[],
  heads: ReadonlyMap<string, FileHead>,
  { db, orgId, base }: Place,
): Promise<Map<string, string>> {
  const slugs = new Map<string, string>()
  /** Slugs, and the articles that have or had them. */
  const taken = new Set<string>()
  for (const chunk of inChunks(files)) {
    const candidates = chunk.map((file) => [...(heads.get(file.path)?.slugs ?? []), ...slugCandidates(file, base.slug)])
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
