export { knowledgeBaseRoutes } from './routes.ts'
export { createKnowledgeBase, lockReferencedKnowledgeBase } from './service.ts'
