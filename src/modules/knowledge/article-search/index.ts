export { type Analyser, createAnalyser } from './analyser.ts'
export type { IndexEntry } from './analyser-thread.ts'
export { analyseText, indexTexts, mergeParts } from './index-texts.ts'
export {
  deleteAnyTexts as dropIndexedTexts,
  deleteTexts as unindexTexts,
  deleteTextsOf as unindexArticles,
  SEARCH_TABLES_LEFT_OUT,
  selectDigests,
} from './queries.ts'
export { articleSearchRoutes } from './routes.ts'
export { type ArticleQuery, searchArticles } from './search.ts'
export { countWords, dropVocabulary, settleVocabulary, type Write } from './update-vocabulary.ts'
export { selectOutdatedVocabulary } from './word-list-queries.ts'
