import { foldCase } from '../../../platform/db/index.ts'
import type { ArticleFacts, ArticleHead } from './article-file.ts'

/** What a file says otherwise than the database. Tags are the same in whatever case and order; relations have an order. */
export function changeOf(head: ArticleHead, stored: ArticleFacts & { title: string }): Partial<ArticleHead> {
  const { tags, related } = head
  const differs = {
    title: head.title !== stored.title,
    status: head.status !== stored.status,
    visibility: head.visibility !== stored.visibility,
    language: head.language !== stored.language,
    category: head.category !== stored.category,
    tags: tags !== undefined && !isAlike(tags.map(foldCase).sort(), stored.tags.map(foldCase).sort()),
    related: related !== undefined && !isAlike(related, stored.related),
  }
  return Object.fromEntries(
    Object.entries(head).filter(([name, value]) => value !== undefined && differs[name as keyof ArticleHead]),
  )
}

const isAlike = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((text, index) => text === others[index])
