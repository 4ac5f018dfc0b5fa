export { conversationTagRoutes } from './routes.ts'
export { lockReferencedTags, toConversationTag } from './service.ts'
