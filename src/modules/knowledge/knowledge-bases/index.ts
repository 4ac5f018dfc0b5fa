export type { NameTranslations } from './contract.ts'
export { knowledgeBaseRoutes } from './routes.ts'
export {
  createKnowledgeBase,
  lockKnowledgeBase,
  lockReferencedKnowledgeBase,
  requireKnowledgeBase,
} from './service.ts'
export { inOrder, nameIn, type TranslatedName } from './translated-name.ts'
