export { articleTagRoutes } from './routes.ts'
