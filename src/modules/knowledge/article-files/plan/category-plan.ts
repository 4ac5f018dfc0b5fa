import { isDeepStrictEqual } from 'node:util'
import { sentFields } from '../../../../platform/contract/sent-fields.ts'
import type { Db } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import { type CategoryRow, listAllCategories } from '../../article-categories/index.ts'
import { CategoryEntries, type CategoryEntry } from '../format/category-file.ts'
import type { ReportProblem } from '../format/problems.ts'
import { type Parsed, parseYaml } from '../format/yaml.ts'
import { selectCategorySlugsElsewhere } from '../queries.ts'
import { inChunks } from '../stored-articles.ts'
import type { Counts } from './counts.ts'

type CategoryStep =
  | { isNew: true; slug: string; change: CategoryEntry }
  | { isNew: false; slug: string; id: string; change: Partial<CategoryEntry> }

export interface CategoryPlan {
  /** Parents before children, so that no step ever creates a cycle. */
  steps: CategoryStep[]
  counts: Counts
  /** The IDs of existing categories by slug. */
  ids: Map<string, string>
}

/** The parent's slug of each category; null for top-level ones. */
type Parents = ReadonlyMap<string, string | null>

/** Plans how to create and update the categories of this file. Reports problems; returns undefined for invalid YAML. */
export async function planCategories(
  db: Db,
  orgId: OrgId,
  knowledgeBaseId: string,
  text: string,
  report: ReportProblem,
): Promise<CategoryPlan | undefined> {
  const parsed = parseYaml(text, CategoryEntries, 1, report)
  if (parsed === undefined) return undefined
  const { value: entries } = parsed
  const rows = await listAllCategories(db, orgId, knowledgeBaseId)
  const stored = new Map(toEntries(rows).map((entry) => [entry.slug, entry]))
  const ids = new Map(rows.map(({ slug, id }) => [slug, id]))
  const elsewhere = new Set<string>()
  for (const chunk of inChunks(entries)) {
    const slugs = chunk.map(({ slug }) => slug)
    for (const slug of await selectCategorySlugsElsewhere(db, orgId, knowledgeBaseId, slugs)) elsewhere.add(slug)
  }
  const parents = parentsAfterImport(entries, stored)
  checkEntries(parsed, elsewhere, parents, report)

  const depths = new Map(entries.map(({ slug }) => [slug, depthOf(parents, slug) ?? 0]))
  const steps = entries
    .map((entry) => stepFor(entry, ids.get(entry.slug), stored.get(entry.slug)))
    .filter(({ isNew, change }) => isNew || Object.keys(change).length > 0)
    .sort((a, b) => (depths.get(a.slug) ?? 0) - (depths.get(b.slug) ?? 0))
  const created = steps.filter(({ isNew }) => isNew).length
  const counts = {
    created,
    updated: steps.length - created,
    unchanged: entries.length - steps.length,
    left_alone: rows.filter(({ slug }) => !depths.has(slug)).length,
  }
  return { steps, counts, ids }
}

type Stored = ReturnType<typeof toEntries>[number]

const toEntries = (rows: readonly CategoryRow[]) => {
  const slugs = new Map(rows.map(({ id, slug }) => [id, slug]))
  return rows.map(({ slug, name, parent_id, description, icon, sort_order, translations }) => {
    const parent = parent_id === null ? null : (slugs.get(parent_id) ?? null)
    return { slug, name, parent, description, icon, sort_order, translations }
  })
}

function parentsAfterImport(entries: readonly CategoryEntry[], stored: ReadonlyMap<string, Stored>): Parents {
  const parentOf = ({ slug, parent = stored.get(slug)?.parent ?? null }: CategoryEntry) => [slug, parent] as const
  return new Map([...[...stored.values()].map(({ slug, parent }) => [slug, parent] as const), ...entries.map(parentOf)])
}

function checkEntries(
  { value: entries, lineOf }: Parsed<CategoryEntry[]>,
  elsewhere: ReadonlySet<string>,
  parents: Parents,
  report: ReportProblem,
): void {
  const seen = new Set<string>()
  for (const [index, { slug, parent }] of entries.entries()) {
    const reportKey = (name: keyof CategoryEntry, text: string) => report(`${name}: ${text}.`, lineOf([index, name]))
    if (seen.has(slug)) reportKey('slug', 'There is another category with this slug')
    if (elsewhere.has(slug)) reportKey('slug', 'A category of another knowledge base has this slug')
    if (parent != null && !parents.has(parent)) reportKey('parent', `There is no category ${parent}`)
    else if (depthOf(parents, slug) === undefined) reportKey('parent', 'The category would be inside itself')
    seen.add(slug)
  }
}

/** Returns the number of ancestors; undefined for a cycle. */
function depthOf(parents: Parents, slug: string): number | undefined {
  let depth = 0
  for (let at = parents.get(slug); at != null; at = parents.get(at)) {
    if (++depth > parents.size) return undefined
  }
  return depth
}

function stepFor(entry: CategoryEntry, id: string | undefined, stored: Stored | undefined): CategoryStep {
  const { slug } = entry
  if (id === undefined || stored === undefined) return { isNew: true, slug, change: entry }
  const present = Object.entries(sentFields(entry))
  const change = Object.fromEntries(
    present.filter(([name, value]) => !isDeepStrictEqual(value, stored[name as keyof Stored])),
  )
  return { isNew: false, slug, id, change }
}
