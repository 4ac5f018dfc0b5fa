export { ownershipRoutes } from './routes.ts'
