export type { ProductLinkList } from './contract.ts'
export { type ProductLinkRow, selectProductLinks } from './queries.ts'
export { productLinkRoutes } from './routes.ts'
export { replaceLinks } from './service.ts'
