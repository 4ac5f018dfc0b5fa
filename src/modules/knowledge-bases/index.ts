export { type KnowledgeBaseRow, selectKnowledgeBase as findKnowledgeBase } from './queries.ts'
export { knowledgeBaseRoutes } from './routes.ts'
export { keepKnowledgeBase } from './service.ts'
