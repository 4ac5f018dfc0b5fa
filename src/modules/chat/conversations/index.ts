export { CONVERSATIONS_TOPIC, SIGNALS_TOPIC, type Signal } from './announcements.ts'
export { Conversations } from './conversations.ts'
export { conversationEvents } from './events.ts'
export { MAY_WRITE } from './lifecycle.ts'
export { conversationMails } from './mails.ts'
export { createMessage } from './messages/create-message.ts'
export { type ConversationSettings, conversationRoutes } from './routes.ts'
export { updateConversation } from './service.ts'
export {
  ConversationEnded,
  ConversationGone,
  FilesGone,
  type StartedConversation,
  type StoredConversation,
  type StoredMessage,
  TooManyFiles,
  type VisitorFile,
} from './stored.ts'
