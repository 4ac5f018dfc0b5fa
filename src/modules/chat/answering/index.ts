export type { Answer, AnsweringBot, AskedQuestion } from './answer.ts'
export type { AnswererChoice } from './answerer.ts'
export { Answering } from './answering.ts'
export { createEmbeddedAnswerer, EMBEDDED } from './embedded.ts'
export { createModels } from './model/model-answerer.ts'
export { modelNames } from './model/model-names.ts'
export { detectLanguage } from './retrieval/detect-language.ts'
export { type Passage, retrieve } from './retrieval/retrieve.ts'
export {
  claimVectors,
  failVectors,
  prepareVectors,
  storeVectors,
  type VectorClaim,
} from './vectors/embed-passages.ts'
export {
  endVectorLeases,
  selectDueOrganisation as selectOrganisationDueForVectors,
  setOthersDue,
  VECTOR_TABLES_LEFT_OUT,
} from './vectors/queries.ts'
export { SimilarPassages } from './vectors/similar-passages.ts'
