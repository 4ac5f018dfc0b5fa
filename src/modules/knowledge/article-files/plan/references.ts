import { type Db, foldCase } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import type { ArticleFrontMatter } from '../format/article-file.ts'
import type { ReportProblem } from '../format/problems.ts'
import type { Parsed } from '../format/yaml.ts'
import { selectTagIds } from '../queries.ts'
import { findArticles, inChunks } from '../stored-articles.ts'

/** Checks the categories and related articles that files refer to, and collects their tags. */
export class References {
  readonly #slugs: ReadonlySet<string>
  /** Undefined if the file of categories is invalid. */
  readonly #categories: ReadonlySet<string> | undefined
  /** Related and linked articles that are not in the folder, and so must be in the organisation. */
  readonly #outside: { slug: string; reportMissing: () => void }[] = []
  /** The keys are folded names. Each value is as it was first written. */
  readonly #tagNames = new Map<string, string>()

  constructor(slugs: ReadonlySet<string>, categories: ReadonlySet<string> | undefined) {
    this.#slugs = slugs
    this.#categories = categories
  }

  check(slug: string, { value: frontMatter, lineOf }: Parsed<ArticleFrontMatter>, report: ReportProblem): void {
    const { category, tags = [], related = [] } = frontMatter
    if (category != null && this.#categories?.has(category) === false) {
      report(`category: There is no category ${category}.`, lineOf(['category']))
    }
    for (const name of tags) {
      if (!this.#tagNames.has(foldCase(name))) this.#tagNames.set(foldCase(name), name)
    }
    for (const [index, other] of related.entries()) {
      const reportRelated = (text: string) => report(`related: ${text}.`, lineOf(['related', index]))
      if (other === slug) reportRelated('An article cannot be related to itself')
      else if (!this.#slugs.has(other)) {
        this.#outside.push({ slug: other, reportMissing: () => reportRelated(`There is no article ${other}`) })
      }
    }
  }

  has(slug: string): boolean {
    return this.#slugs.has(slug)
  }

  /** Checks a link in a text. Its article may be anywhere in the organisation. */
  checkLink(slug: string, reportMissing: () => void): void {
    if (!this.#slugs.has(slug)) this.#outside.push({ slug, reportMissing })
  }

  async checkOutside(db: Db, orgId: OrgId): Promise<void> {
    for (const chunk of inChunks(this.#outside)) {
      const slugs = chunk.map(({ slug }) => slug)
      const found = await findArticles(db, orgId, slugs)
      for (const { slug, reportMissing } of chunk) if (!found.has(slug)) reportMissing()
    }
  }

  /** Returns the names of tags that do not exist yet. */
  async findNewTags(db: Db, orgId: OrgId): Promise<string[]> {
    const names = new Map(this.#tagNames)
    for (const chunk of inChunks([...names.keys()])) {
      for (const { name_folded } of await selectTagIds(db, orgId, chunk)) names.delete(name_folded)
    }
    return [...names.values()]
  }
}
