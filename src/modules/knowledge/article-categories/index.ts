export { CATEGORY_NOT_EMPTY } from './contract.ts'
export { articleCategoryEvents } from './events.ts'
export {
  type CategoryRow,
  hasCategories,
  selectAllCategories as listAllCategories,
  selectCategory as findCategory,
} from './queries.ts'
export { articleCategoryRoutes } from './routes.ts'
export { createCategory, updateCategory } from './service.ts'
