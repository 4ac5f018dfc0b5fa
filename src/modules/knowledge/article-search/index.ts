export { isFunctionWord, isVerbPrefix, misspeltFunctionWord, stem } from './full-text/languages/index.ts'
export { editsBetween, keysOfMisspelling } from './full-text/misspelling.ts'
export { tokenize } from './full-text/tokens.ts'
export { type Analyser, createAnalyser } from './index/analyser.ts'
export type { IndexEntry } from './index/analyser-thread.ts'
export { selectDigests } from './index/index-queries.ts'
export {
  analyseText,
  dropIndexedTexts,
  indexTexts,
  mergeParts,
  unindexArticles,
  unindexTexts,
} from './index/index-texts.ts'
export type { ArticleQuery } from './query/article-query.ts'
export { SEARCH_TABLES_LEFT_OUT, selectLanguages } from './query/queries.ts'
export { searchArticles } from './query/search.ts'
export { type FindInQuery, findSynonymsOf } from './query/synonyms.ts'
export { articleSearchRoutes } from './routes.ts'
export { Terms } from './terms.ts'
export { countWords, dropVocabulary, settleVocabulary, type Write } from './vocabulary/update-vocabulary.ts'
export { correctionsOf, frequenciesOf } from './vocabulary/vocabulary.ts'
export { selectForms, selectKnownWords } from './vocabulary/vocabulary-queries.ts'
export { selectOutdatedVocabulary } from './vocabulary/word-list-queries.ts'
