export {
  dropKeyValues,
  keyValueHandlers,
  type Owner,
  replaceKeyValues,
  selectProperties,
  selectUrlParams,
} from './service.ts'
