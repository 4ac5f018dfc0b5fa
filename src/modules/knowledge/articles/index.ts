export {
  awaitIndexing,
  changeArticle,
  deleteArticlesIn,
  INDEXING_TOPIC,
  lockArticle,
  requireArticle,
  requireHead,
  toArticle,
} from './change.ts'
export { articleEvents } from './events.ts'
export { type Claim, claimForIndexing, failIndexing, indexClaimed } from './indexing.ts'
export { endLeases, setAllDue as reindexAll } from './indexing-queries.ts'
export { type ArticleSettings, toPlain } from './plain.ts'
export { type ArticleHead, type ArticleRow, hasArticles } from './queries.ts'
export { articleRoutes } from './routes.ts'
export { createArticle, updateArticle } from './service.ts'
export { selectTagNames } from './tag-queries.ts'
export { replaceArticleTags } from './tags.ts'
export { type ArticleVersionRow, insertVersion } from './version-queries.ts'
