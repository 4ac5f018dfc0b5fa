import { z } from 'zod'
import { field } from '../../../../platform/contract/index.ts'
import { ArticleCategory, ArticleCategoryCreate } from '../../article-categories/contract.ts'
import type { CategoryRow } from '../../article-categories/index.ts'
import { inOrder, type NameTranslations } from '../../knowledge-bases/index.ts'
import { toYaml } from './yaml.ts'

export const CATEGORIES_FILE = 'categories.yaml'

const { name, slug, description, icon, translations } = ArticleCategoryCreate.shape

/** A missing key leaves the stored value unchanged, as in an article. */
const CategoryEntry = z.strictObject({
  slug,
  name,
  parent: field.slug.nullable().optional(),
  description,
  icon,
  sort_order: z
    .string()
    .regex(/^\d{1,10}$/, { error: 'Must be a whole number from 0' })
    .transform(Number)
    .pipe(ArticleCategory.shape.sort_order)
    .optional(),
  translations,
})
export type CategoryEntry = z.output<typeof CategoryEntry>

export const CategoryEntries = z
  .array(CategoryEntry)
  .nullable()
  .transform((entries) => entries ?? [])

/** Parents before children, siblings in display order, so that equal trees give equal files. */
export function toCategoryFile(rows: readonly CategoryRow[]): string {
  const slugs = new Map(rows.map(({ id, slug }) => [id, slug]))
  const children = Map.groupBy(rows, ({ parent_id }) => parent_id)
  const lastFirst = (parent: string | null) =>
    (children.get(parent) ?? []).sort((a, b) => b.sort_order - a.sort_order || (a.slug < b.slug ? 1 : -1))
  const entries: object[] = []
  const waiting = lastFirst(null)
  for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
    const { slug, name, parent_id, description, icon, sort_order } = row
    const parent = slugs.get(parent_id ?? '') ?? null
    // Left out if there are none, so that the files of others stay as they are.
    const translations = Object.keys(row.translations).length > 0 && {
      translations: inOrder(row.translations as NameTranslations),
    }
    entries.push({ slug, name, parent, description, icon, sort_order, ...translations })
    waiting.push(...lastFirst(row.id))
  }
  return toYaml(entries)
}
