export { articleRelationRoutes } from './routes.ts'
export { putRelations } from './service.ts'
