import { type Db, foldCase } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { ArticleHead } from './article-file.ts'
import type { Complain } from './complaints.ts'
import { selectArticlesBySlug, selectTagIds } from './queries.ts'
import { inChunks } from './stored.ts'
import type { Parsed } from './yaml.ts'

/** What articles refer to: each category and each related article must be there; tags are made. */
export class References {
  readonly #slugs: ReadonlySet<string>
  /** Undefined when they are not known, because their file cannot be read. */
  readonly #categories: ReadonlySet<string> | undefined
  /** To what is not in the folder, and so must be in the organisation. */
  readonly #outside: { slug: string; refuse: () => void }[] = []
  /** By their folded form, each as it was first written. */
  readonly #tagNames = new Map<string, string>()

  constructor(slugs: ReadonlySet<string>, categories: ReadonlySet<string> | undefined) {
    this.#slugs = slugs
    this.#categories = categories
  }

  check(slug: string, { value: head, lineOf }: Parsed<ArticleHead>, complain: Complain): void {
    const { category, tags = [], related = [] } = head
    if (category != null && this.#categories?.has(category) === false) {
      complain(`category: There is no category ${category}.`, lineOf(['category']))
    }
    for (const name of tags) {
      if (!this.#tagNames.has(foldCase(name))) this.#tagNames.set(foldCase(name), name)
    }
    for (const [index, other] of related.entries()) {
      const refuse = (why: string) => complain(`related: ${why}.`, lineOf(['related', index]))
      if (other === slug) refuse('An article cannot be related to itself')
      else if (!this.#slugs.has(other)) {
        this.#outside.push({ slug: other, refuse: () => refuse(`There is no article ${other}`) })
      }
    }
  }

  async checkOutside(db: Db, orgId: OrgId): Promise<void> {
    for (const some of inChunks(this.#outside)) {
      const slugs = some.map(({ slug }) => slug)
      const found = new Set((await selectArticlesBySlug(db, orgId, slugs)).map(({ slug }) => slug))
      for (const { slug, refuse } of some) if (!found.has(slug)) refuse()
    }
  }

  /** The names of those that are not there yet. */
  async findNewTags(db: Db, orgId: OrgId): Promise<string[]> {
    const names = new Map(this.#tagNames)
    for (const some of inChunks([...names.keys()])) {
      for (const { name_folded } of await selectTagIds(db, orgId, some)) names.delete(name_folded)
    }
    return [...names.values()]
  }
}
