import type { Db } from '../../../platform/db/index.ts'
import { isSlug } from './address.ts'
import {
  COUNTED_MAX,
  selectCategories,
  selectCategoryAnchor,
  selectTrail,
  selectTrailBySlug,
  type TrailRow,
} from './category-queries.ts'
import { NO_ID, type Page, type Position, readPage } from './paging.ts'
import type { Centre } from './service.ts'

export interface CategoryItem {
  slug: string
  name: string
  description: string | null
  icon: string
  /** Number of public articles directly in it; a minimum if `isMore`. */
  articleCount: number
  isMore: boolean
}

export interface Category {
  id: string
  slug: string
  name: string
  description: string | null
  icon: string
  /** For the breadcrumb: outermost first, at most three. */
  ancestors: { slug: string; name: string }[]
  /** Whether there are further ancestors. */
  isDeeper: boolean
}

const START = { key: -1, id: NO_ID }

/** Lists top-level categories, or those in `within`. Omits categories without public articles and subcategories. */
export async function listCategories(
  db: Db,
  { orgId, id }: Centre,
  within: Category | undefined,
  position: Position,
  size: number,
): Promise<Page<CategoryItem>> {
  const owner = within === undefined ? { place: 'top' as const, id } : { place: 'within' as const, id: within.id }
  const page = await readPage(
    position,
    size,
    {
      start: START,
      find: (slug) => selectCategoryAnchor(db, orgId, slug),
      rows: (direction, anchor, limit) => selectCategories(db, orgId, owner, direction, anchor, limit),
    },
    (row) => row,
  )
  const nonEmpty = page.items.filter((row) => Number(row.article_count) > 0 || row.child !== null)
  return { ...page, items: nonEmpty.map(toItem) }
}

function toItem(row: Awaited<ReturnType<typeof selectCategories>>[number]): CategoryItem {
  const { slug, name, description, icon } = row
  const counted = Number(row.article_count)
  const isMore = counted === COUNTED_MAX
  return { slug, name, description, icon, articleCount: isMore ? counted - 1 : counted, isMore }
}

export async function findCategory(db: Db, { orgId, id }: Centre, slug: string): Promise<Category | undefined> {
  const row = isSlug(slug) ? await selectTrailBySlug(db, orgId, id, slug) : undefined
  return row && toCategory(row)
}

export async function findCategoryById(db: Db, { orgId }: Centre, id: string): Promise<Category | undefined> {
  const row = await selectTrail(db, orgId, id)
  return row && toCategory(row)
}

function toCategory(row: TrailRow): Category {
  const { id, slug, name, description, icon } = row
  const pairs = [
    [row.slug_3, row.name_3],
    [row.slug_2, row.name_2],
    [row.slug_1, row.name_1],
  ] as const
  const ancestors = pairs.flatMap(([ancestorSlug, ancestorName]) =>
    ancestorSlug === null || ancestorName === null ? [] : [{ slug: ancestorSlug, name: ancestorName }],
  )
  return { id, slug, name, description, icon, ancestors, isDeeper: row.beyond !== null }
}
