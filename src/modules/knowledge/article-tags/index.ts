export { articleTagRoutes } from './routes.ts'
export { createTag, keepTags } from './service.ts'
