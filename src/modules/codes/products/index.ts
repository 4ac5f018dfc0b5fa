export { productEvents } from './events.ts'
export { productRoutes } from './routes.ts'
export type { ProductSettings } from './service.ts'
