export { knowledgeBaseRoutes } from './routes.ts'
export { lockReferencedKnowledgeBase } from './service.ts'
