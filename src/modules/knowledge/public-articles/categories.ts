import type { ContentLanguage } from '../../../platform/contract/languages.ts'
import type { Db } from '../../../platform/db/index.ts'
import { type NameTranslations, nameIn, type TranslatedName } from '../knowledge-bases/index.ts'
import { isSlug } from './address.ts'
import {
  COUNTED_CATEGORIES_MAX,
  COUNTED_MAX,
  countListed,
  selectCategories,
  selectCategoryAnchor,
  selectTrail,
  selectTrailBySlug,
  type TrailRow,
} from './category-queries.ts'
import { type ItemPage, NO_ID, readPage, type SlugPosition } from './paging.ts'
import type { Centre } from './service.ts'

export interface CategoryItem extends TranslatedName {
  slug: string
  icon: string
  /** Number of articles in it and below; a minimum if `isMore`. */
  articleCount: number
  isMore: boolean
}

export interface Category extends TranslatedName {
  id: string
  slug: string
  icon: string
  /** The breadcrumb shows these: outermost first, at most three. */
  ancestors: (Pick<TranslatedName, 'name' | 'language'> & { slug: string })[]
  /** Whether there are further ancestors. */
  isDeeper: boolean
}

const START = { key: -1, id: NO_ID }

/** Lists are read on beyond so many pages on which there is nothing to show. */
const EMPTY_PAGES_MAX = 5

/** Lists top-level categories, or those in `within`. Omits those without articles in them and below. */
export async function listCategories(
  db: Db,
  centre: Centre,
  language: ContentLanguage,
  within: Category | undefined,
  position: SlugPosition,
  size: number,
): Promise<ItemPage<CategoryItem>> {
  const first = await readCategories(db, centre, language, within, position, size)
  let page = first
  for (let n = 0; n < EMPTY_PAGES_MAX && page.items.length === 0 && page.next !== undefined; n++) {
    page = await readCategories(db, centre, language, within, { after: page.next }, size)
  }
  return { ...page, previous: first.previous }
}

async function readCategories(
  db: Db,
  centre: Centre,
  language: ContentLanguage,
  within: Category | undefined,
  position: SlugPosition,
  size: number,
): Promise<ItemPage<CategoryItem>> {
  const { orgId, id } = centre
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
  const counts = await countArticles(db, orgId, page.items)
  const items = page.items.map((row, n) => ({
    ...nameOf(centre, row, language),
    slug: row.slug,
    icon: row.icon,
    articleCount: counts[n]?.articles ?? 0,
    isMore: counts[n]?.isMore ?? false,
  }))
  return { ...page, items: items.filter(({ articleCount, isMore }) => articleCount > 0 || isMore) }
}

interface Count {
  articles: number
  /** Whether there may be more. */
  isMore: boolean
}

async function countArticles(db: Db, orgId: Centre['orgId'], categories: readonly { id: string }[]): Promise<Count[]> {
  const ids = categories.map(({ id }) => id)
  const counted = ids.length === 0 ? [] : await countListed(db, orgId, ids)
  const isCut = counted.length === COUNTED_CATEGORIES_MAX
  const byRoot = Map.groupBy(counted, ({ root }) => root)
  return ids.map((id) => {
    const articles = (byRoot.get(id) ?? []).reduce((sum, row) => sum + Number(row.articles), 0)
    return { articles: Math.min(articles, COUNTED_MAX - 1), isMore: isCut || articles >= COUNTED_MAX }
  })
}

export async function findCategory(
  db: Db,
  centre: Centre,
  language: ContentLanguage,
  slug: string,
): Promise<Category | undefined> {
  const row = isSlug(slug) ? await selectTrailBySlug(db, centre.orgId, centre.id, slug) : undefined
  return row && toCategory(centre, row, language)
}

export async function findCategoryById(
  db: Db,
  centre: Centre,
  language: ContentLanguage,
  id: string,
): Promise<Category | undefined> {
  const row = await selectTrail(db, centre.orgId, id)
  return row && toCategory(centre, row, language)
}

function toCategory(centre: Centre, row: TrailRow, language: ContentLanguage): Category {
  const { id, slug, icon } = row
  const found = [
    { slug: row.slug_3, name: row.name_3, translations: row.translations_3 },
    { slug: row.slug_2, name: row.name_2, translations: row.translations_2 },
    { slug: row.slug_1, name: row.name_1, translations: row.translations_1 },
  ]
  const ancestors = found.flatMap(({ slug, name, translations }) => {
    if (slug === null || name === null || translations === null) return []
    const shown = nameOf(centre, { name, description: null, translations }, language)
    return [{ slug, name: shown.name, language: shown.language }]
  })
  return { ...nameOf(centre, row, language), id, slug, icon, ancestors, isDeeper: row.beyond !== null }
}

const nameOf = (
  { language: own }: Centre,
  { name, description, translations }: { name: string; description: string | null; translations: object },
  language: ContentLanguage,
): TranslatedName => nameIn({ name, description, translations: translations as NameTranslations }, own, language)
