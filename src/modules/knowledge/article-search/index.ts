export { indexArticles, type SearchableArticle, unindexArticles } from './index-articles.ts'
export { SEARCH_TABLES_LEFT_OUT } from './queries.ts'
export { articleSearchRoutes } from './routes.ts'
export { type ArticleQuery, searchArticles } from './search.ts'
