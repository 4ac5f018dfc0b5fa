import { resourceEvents } from '../../../platform/outbox/index.ts'
import { ArticleCategory } from './contract.ts'

export const articleCategoryEvents = resourceEvents('article_category', ArticleCategory)
