export { knowledgeBaseRoutes } from './routes.ts'
