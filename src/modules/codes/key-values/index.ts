export type { SentLists } from './contract.ts'
export type { KeyValueRow, ListName } from './queries.ts'
export {
  countPropertyLengths,
  dropKeyValues,
  keyValueHandlers,
  LIST_NAMES,
  readListsOf,
  replaceLists,
  replaceListsOf,
  selectProperties,
  selectPropertiesOf,
  selectUrlParams,
  toPairs,
} from './service.ts'
