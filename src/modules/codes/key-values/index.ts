export type { SentLists } from './contract.ts'
export type { KeyValueRow, ListName } from './queries.ts'
export {
  dropKeyValues,
  keyValueHandlers,
  LIST_NAMES,
  type Owner,
  readListsOf,
  replaceLists,
  replaceListsOf,
  selectProperties,
  selectUrlParams,
  toPairs,
} from './service.ts'
