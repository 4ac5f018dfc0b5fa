export { hasSteps, isNumbered, toBlocks } from './blocks.ts'
export {
  deleteAnyPassages,
  deletePassages,
  deletePassagesOf,
  insertPassages,
  mergePassageIndex,
  type NewPassage,
  type PassageExpression,
  type PassageScope,
  type RankedPassage,
  type ShownPassage,
  selectOutline,
  selectPassageLists,
  selectRanked,
  selectShown,
  selectSubtrees,
} from './queries.ts'
export { endsWithAbbreviation, toSentences } from './sentences.ts'
export { splitIntoPassages } from './split.ts'
