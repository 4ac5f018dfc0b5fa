export { knowledgeBaseRoutes } from './routes.ts'
export { keepKnowledgeBase } from './service.ts'
