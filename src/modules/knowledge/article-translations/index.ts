export { articleTranslationRoutes } from './routes.ts'
export { addTranslation, updateTranslation } from './service.ts'
