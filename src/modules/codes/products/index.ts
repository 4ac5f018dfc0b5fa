export { productEvents } from './events.ts'
export { createImageDownloads } from './image-downloads.ts'
export { productRoutes } from './routes.ts'
export type { ProductSettings } from './service.ts'
