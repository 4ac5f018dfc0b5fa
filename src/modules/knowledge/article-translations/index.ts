export { articleTranslationRoutes } from './routes.ts'
export { createTranslation, updateTranslation } from './service.ts'
