export { keepAssetsOf } from './asset-references.ts'
export { changeArticle } from './change.ts'
export type { Article } from './contract.ts'
export { deleteArticlesIn } from './delete.ts'
export { articleEvents } from './events.ts'
export {
  type Claim,
  claimForIndexing,
  failIndexing,
  indexPrepared,
  Piece,
  type PreparedArticle,
  releaseClaimed,
} from './indexing.ts'
export {
  countDue as countDueArticles,
  endLeases,
  selectDueOrganisation,
  setAllDue as reindexAll,
} from './indexing-queries.ts'
export { lockArticle } from './lock.ts'
export { type ArticleSettings, toPlain } from './plain.ts'
export { INDEXING_TOPIC, queuedForIndexing } from './publishing.ts'
export { type ArticleHead, type ArticleRow, hasArticles } from './queries.ts'
export { requireArticle, requireHead } from './require.ts'
export { articleRoutes } from './routes.ts'
export { createArticle, updateArticle } from './service.ts'
export { selectTagNames } from './tag-queries.ts'
export { replaceArticleTags } from './tags.ts'
export { toArticle } from './to-article.ts'
export { type ArticleVersionRow, insertVersion } from './version-queries.ts'
