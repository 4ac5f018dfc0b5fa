export { indexArticles, type SearchableArticle, unindexArticles } from './index-articles.ts'
export { articleSearchRoutes } from './routes.ts'
export { type ArticleQuery, searchArticles } from './search.ts'
