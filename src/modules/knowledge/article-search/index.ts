export { type Analyser, createAnalyser } from './analyser.ts'
export type { IndexEntry } from './analyser-thread.ts'
export type { ArticleQuery } from './article-query.ts'
export { isFunctionWord, stem } from './full-text/languages/index.ts'
export { editsBetween, keysOfMisspelling } from './full-text/misspelling.ts'
export { tokenize } from './full-text/tokens.ts'
export { selectDigests } from './index-queries.ts'
export {
  analyseText,
  dropIndexedTexts,
  indexTexts,
  mergeParts,
  unindexArticles,
  unindexTexts,
} from './index-texts.ts'
export { SEARCH_TABLES_LEFT_OUT, selectLanguages } from './queries.ts'
export { articleSearchRoutes } from './routes.ts'
export { searchArticles } from './search.ts'
export { Terms } from './terms.ts'
export { countWords, dropVocabulary, settleVocabulary, type Write } from './update-vocabulary.ts'
export { correctionsOf, frequenciesOf } from './vocabulary.ts'
export { selectForms, selectKnownWords } from './vocabulary-queries.ts'
export { selectOutdatedVocabulary } from './word-list-queries.ts'
