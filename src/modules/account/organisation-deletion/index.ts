export { organisationDeletionRoutes } from './routes.ts'
