export { VIEW_COLUMNS } from './queries.ts'
export { type StoredView, storeViews } from './service.ts'
