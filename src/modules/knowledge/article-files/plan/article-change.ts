import { sentFields } from '../../../../platform/contract/sent-fields.ts'
import { foldCase } from '../../../../platform/db/index.ts'
import type { ArticleFrontMatter, ArticleMetadata } from '../format/article-file.ts'

/** Returns the fields that differ from the database. Ignores case and order of tags, but not the order of relations. */
export function changeOf(
  frontMatter: ArticleFrontMatter,
  stored: ArticleMetadata & { title: string },
): Partial<ArticleFrontMatter> {
  const { title, status, visibility, language, category, tags = [], related = [] } = frontMatter
  const differs = {
    title: title !== stored.title,
    status: status !== stored.status,
    visibility: visibility !== stored.visibility,
    language: language !== stored.language,
    category: category !== stored.category,
    tags: !isEqual(tags.map(foldCase).sort(), stored.tags.map(foldCase).sort()),
    related: !isEqual(related, stored.related),
  }
  const present = Object.entries(sentFields(frontMatter))
  return Object.fromEntries(present.filter(([name]) => differs[name as keyof ArticleFrontMatter]))
}

const isEqual = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((text, index) => text === others[index])
