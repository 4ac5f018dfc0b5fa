export { articleTagRoutes } from './routes.ts'
export { createTag, lockReferencedTags, toArticleTag } from './service.ts'
