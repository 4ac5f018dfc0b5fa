export { articlePath, categoryPath, centrePath, homePath, isSlug, listPath } from './address.ts'
export { parseArticleLink } from './article-link.ts'
export {
  type ArticleText,
  findArticle,
  findLinkTargets,
  findPublicSlug,
  findSlugs,
  type LinkTarget,
  listInCategory,
  listLatest,
  listRelated,
  listUncategorised,
  type PublicArticle,
  type PublicArticleItem,
  readContent,
} from './articles.ts'
export { type Category, type CategoryItem, findCategory, findCategoryById, listCategories } from './categories.ts'
export { type ArticleAddress, countArticles, type FeedEntry, listAddresses, listEntries } from './feeds.ts'
export type { ItemPage, SlugPosition } from './paging.ts'
export { HELP_CENTRE_TABLES_LEFT_OUT, HELP_CENTRES_TOPIC } from './queries.ts'
export { type CentreRoute, isCentrePart, parseAddress } from './route.ts'
export { type Centre, findCentre, findMainCentre, listLanguages } from './service.ts'
