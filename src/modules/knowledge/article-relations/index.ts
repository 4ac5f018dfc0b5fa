export { articleRelationRoutes } from './routes.ts'
export { replaceRelations } from './service.ts'
