export { indexArticles, type SearchableArticle, unindexArticles } from './index-articles.ts'
export { articleSearchRoutes } from './routes.ts'
export { type ArticleQuery, type Hit, searchArticles } from './search.ts'
