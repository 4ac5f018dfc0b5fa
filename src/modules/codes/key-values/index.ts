export { dropKeyValues, keyValueHandlers, type Owner, replaceKeyValues, selectUrlParams } from './service.ts'
